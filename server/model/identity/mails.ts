import { createHash } from "node:crypto";
import type { RoleWithLive } from "../kernel/environment.ts";
import { onOneLine } from "../kernel/texts.ts";
import { articled } from "../rules/naming.ts";
import { DAY } from "../kernel/instant.ts";

export function invitationMail(to: string, invitation: RoleWithLive & { invitedBy: string; name: string; link: string }): Mail {
  const name = onOneLine(invitation.name);
  const { role, liveRole } = invitation;
  const roles = articled(role) + (liveRole === null ? "" : `, and as ${articled(liveRole)} in Live`);
  return {
    to,
    subject: `You are invited to ${name}`,
    text: [
      `${onOneLine(invitation.invitedBy)} invites you to take part in ${name} as ${roles}.`,
      `Open this link to accept; it works once, for seven days:\n${invitation.link}`,
      "If you did not expect this, ignore it: nothing happens unless the link is opened.",
    ].join("\n\n"),
  };
}

export const resetMail = (to: string, link: string): Mail => ({
  to,
  subject: "Set a new password",
  text: [
    `Someone asked to set a new password for the account ${to}. Open this link to set it; it works once, for a day:\n${link}`,
    "If it was not you, ignore this mail: your password does not change unless the link is opened.",
  ].join("\n\n"),
});

export const factorResetMail = (to: string, { by, name }: { by: string; name: string }): Mail => ({
  to,
  subject: "Your second factor was reset",
  text: [
    `${onOneLine(by)} removed the second factor from your account (${to}) in ${onOneLine(name)}, and ended your sessions. Your password opens it alone until you set up another one.`,
    "If you did not ask for this, change your password now and tell an Owner.",
  ].join("\n\n"),
});

/** The text of a mail. Plain text is readable everywhere, and a project's name cannot do anything in it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail; false if the mail server did not accept it. */
export interface Mailer {
  send(mail: Mail): Promise<boolean>;
}

/**
 * The form in which an address is stored and compared. Only addresses in plain characters are lower-cased: "K" (U+212A) would become a
 * "k", and so another user's address.
 */
export function plainEmail(email: string): string {
  const trimmed = email.trim();
  return isWrittenPlainly(trimmed) ? trimmed.toLowerCase() : trimmed;
}

/** Whether a text is free of look-alike, invisible and bidirectional control characters. */
const isWrittenPlainly = (text: string): boolean => text.normalize("NFKC") === text && !/[\p{C}\p{Z}]/u.test(text);

/** Without the signs that a mail's header has around addresses: "<ann@acme.com>" would be mailed to ann@acme.com, who could not sign in. */
const ADDRESS = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/;

/** Why the text is not a mail address; null if it is one. */
export function emailProblem(email: string): string | null {
  if (email.length > 254 || !ADDRESS.test(email)) return `"${email.slice(0, 254)}" is not an email address.`;
  return isWrittenPlainly(email) ? null : `"${email}" is not an email address: it has characters that only look like others.`;
}

export const TOKEN_BYTES = 32;

export const INVITATION_MS = 7 * DAY;
export const RESET_MS = DAY;

/** The secret part of a link. */
export const writeToken = (random: Buffer): string => random.toString("base64url");

/** The stored form of a token; null for a text of another form. */
export const tokenHash = (token: string): Buffer | null => (/^[\w-]{43}$/.test(token) ? createHash("sha256").update(token).digest() : null);

export const invitationLink = (baseUrl: string, token: string): string => `${baseUrl}/invitation/${token}`;
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/password-reset/${token}`;
