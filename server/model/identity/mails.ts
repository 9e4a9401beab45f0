import type { Mail } from "../kernel/mail.ts";
import type { Role } from "../kernel/roles.ts";
import { articled } from "../rules/naming.ts";

export type { Mail, Mailer } from "../kernel/mail.ts";

/** User-chosen names stay on one line, so that they cannot add lines to a mail. */
const plain = (name: string): string => name.replace(/\s+/g, " ").trim();

export function invitationMail(to: string, invitation: { role: Role; invitedBy: string; name: string; link: string }): Mail {
  const name = plain(invitation.name);
  return {
    to,
    subject: `You are invited to ${name}`,
    text: [
      `${plain(invitation.invitedBy)} invites you to take part in ${name} as ${articled(invitation.role)}.`,
      `Open this link to accept; it works once, for seven days:\n${invitation.link}`,
      "If you do not know what this is about, nothing happens unless you open it.",
    ].join("\n\n"),
  };
}

export const resetMail = (to: string, link: string): Mail => ({
  to,
  subject: "Set a new password",
  text: [
    `A new password was asked for, for the account of ${to}. Open this link to set it; it works once, for a day:\n${link}`,
    "If you did not ask for it, nothing happens unless you open it; your password is what it was.",
  ].join("\n\n"),
});
