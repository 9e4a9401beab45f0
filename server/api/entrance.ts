import { openMailer } from "../projects/client.ts";
import { resetLink } from "../projects/links.ts";
import { type Mailer, resetMail } from "../projects/mails.ts";
import * as accounts from "../projects/service/account.ts";
import * as invitations from "../projects/service/invitations.ts";
import * as signIns from "../projects/service/sign-in.ts";
import { findPerson } from "../projects/service.ts";
import type { Database } from "../../db/client.ts";
import type { ProviderSettings } from "../settings.ts";
import type { Logger } from "./log.ts";

/** What the pages have to know to sign people in and to know them again. */
export interface EntranceSettings {
  /** Signs the token in the browser. */
  secret: string;
  /** The public address without its path, which providers send people back to. */
  origin: string;
  /** Whether cookies are for https alone. */
  isSecure: boolean;
  providers: readonly ProviderSettings[];
  /** Whether a forgotten password can be put right by mail. */
  canMail: boolean;
}

type Credentials = { email: string; password: string };

/** What the pages may ask for people who are not signed in yet. What they may do once they are is said by contracts. */
export interface Entrance {
  settings: EntranceSettings;
  /** Where a request comes from, as far as that can be believed. */
  browserOf(headers: Headers): signIns.Browser;
  signIn(credentials: Credentials, browser: signIns.Browser): Promise<signIns.SignedIn>;
  signInByProvider(
    account: signIns.ProviderAccount,
    browser: signIns.Browser,
  ): Promise<{ sessionId: string } | { refusal: signIns.ProviderRefusal }>;
  signOut(sessionId: string): Promise<void>;
  invitation(token: string): Promise<invitations.InvitationView | null>;
  acceptWithNewAccount(token: string, password: string, browser: signIns.Browser): Promise<invitations.Accepted>;
  acceptAs(token: string, sessionId: string): Promise<{ project: string | null } | { refusal: string }>;
  /** Mails a link to whoever has that address; nobody is told whether anybody has. */
  requestReset(email: string, browser: signIns.Browser): Promise<void>;
  reset(token: string): Promise<{ email: string } | null>;
  resetPassword(
    token: string,
    password: string,
    browser: signIns.Browser,
  ): Promise<{ sessionId: string } | { problem: string } | { refusal: string }>;
  /** What went wrong between us and a provider, for whoever operates the service. */
  report(error: Error): void;
}

export interface EntranceOptions {
  database: Database;
  baseUrl: string;
  authSecret: string;
  providers: readonly ProviderSettings[];
  mailer?: Mailer;
  logger: Logger;
  /** The address of whoever sent a request with these headers; null where it is not known. */
  addressOf(headers: Headers): string | null;
}

export function openEntrance({ database, baseUrl, authSecret, providers, mailer, logger, addressOf }: EntranceOptions): Entrance {
  const { origin, protocol } = new URL(baseUrl);
  return {
    settings: { secret: authSecret, origin, isSecure: protocol === "https:", providers, canMail: mailer !== undefined },
    browserOf: (headers) => ({ address: addressOf(headers), userAgent: headers.get("user-agent") }),
    signIn: (credentials, browser) => signIns.signIn(database, credentials, browser),
    signInByProvider: (account, browser) => signIns.signInByProvider(database, account, browser),
    signOut: (sessionId) => signIns.signOut(database, sessionId),
    invitation: (token) => invitations.invitationOf(database, token),
    acceptWithNewAccount: (token, password, browser) => invitations.acceptWithNewAccount(database, token, password, browser),
    async acceptAs(token, sessionId) {
      const person = await findPerson(database, sessionId);
      return person === null ? { refusal: "Your session has ended. Sign in again." } : invitations.acceptAs(database, token, person);
    },
    async requestReset(email, browser) {
      if (mailer === undefined) return;
      const made = await accounts.requestReset(database, email, browser.address);
      if (made !== null) await mailer.send(resetMail(made.email, resetLink(baseUrl, made.token)));
    },
    reset: (token) => accounts.resetOf(database, token),
    resetPassword: (token, password, browser) => accounts.resetPassword(database, token, password, browser),
    report: ({ name, message, cause }) => logger.error({ name, message, cause }, "signing in by a provider failed"),
  };
}

/** The way out for mail where a mail server is set. Why one was not taken is for whoever operates the service; the rest is in no log. */
export const mailerOf = ({ smtpUrl, baseUrl }: { smtpUrl?: string; baseUrl: string }, logger: Logger): Mailer | undefined =>
  smtpUrl === undefined
    ? undefined
    : openMailer(smtpUrl, baseUrl, (error) => {
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
        logger.error({ code, responseCode }, "the mail server did not take a mail");
      });
