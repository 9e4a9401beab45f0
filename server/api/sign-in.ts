import { randomBytes } from "node:crypto";
import type { Database } from "../../db/client.ts";
import * as invitations from "../people/identity/accept-invitation.ts";
import type { Browser } from "../model/identity/browser.ts";
import { openMailer } from "../people/identity/client.ts";
import { DEVICE_BYTES, deviceKey, deviceOf, type DeviceOwner, withDevice } from "../model/identity/devices.ts";
import { signOut } from "../people/identity/end-sessions.ts";
import { findDeviceOwner } from "../people/identity/find-device-owner.ts";
import { findInvitation, type InvitationView } from "../people/identity/find-invitation.ts";
import { findPerson } from "../people/identity/find-person.ts";
import { findReset } from "../people/identity/find-reset.ts";
import { resetLink } from "../model/identity/links.ts";
import { type Mailer, resetMail } from "../model/identity/mails.ts";
import { requestReset } from "../people/identity/request-reset.ts";
import * as accounts from "../people/identity/reset-password.ts";
import { type ProviderAccount, type ProviderRefusal, signInByProvider } from "../people/identity/sign-in-by-provider.ts";
import * as signIns from "../people/identity/sign-in.ts";
import type { OidcSettings, ProviderSettings } from "../people/identity/sign-in-providers.ts";
import type { Logger } from "./log.ts";

/** The pages need these to sign people in and to know them again. */
export interface SignInSettings {
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

/** A browser, and what it remembers of those who have signed in with it: the text of a cookie, or null. */
export interface Visitor extends Browser {
  devices: string | null;
}

/** A new session, and what the browser is to remember from now on. */
export interface SignedIn {
  sessionId: string;
  devices: string;
}

/** The calls that the pages make for people who are not signed in yet. Contracts have those for people who are. */
export interface SignInService {
  settings: SignInSettings;
  /** Where a request comes from, as far as that can be believed. */
  browserOf(headers: Headers): Browser;
  signIn(credentials: Credentials, visitor: Visitor): Promise<SignedIn | { refusal: string }>;
  signInByProvider(account: ProviderAccount, browser: Browser): Promise<{ sessionId: string } | { refusal: ProviderRefusal }>;
  signOut(sessionId: string): Promise<void>;
  invitation(token: string): Promise<InvitationView | null>;
  acceptWithNewAccount(
    token: string,
    password: string,
    visitor: Visitor,
  ): Promise<(SignedIn & { project: string | null }) | { problem: string } | { refusal: string }>;
  acceptAs(token: string, sessionId: string): Promise<{ project: string | null } | { refusal: string }>;
  /** Mails a link to whoever has that address; nobody is told whether anybody has. */
  requestReset(email: string, browser: Browser): Promise<void>;
  reset(token: string): Promise<{ email: string } | null>;
  resetPassword(token: string, password: string, visitor: Visitor): Promise<SignedIn | { problem: string } | { refusal: string }>;
  /** A browser's new mark of the person who is signed in with it, once they have changed their password; null where there is none. */
  remember(sessionId: string, visitor: Visitor): Promise<string | null>;
  /** Logs a failure between the service and a provider. */
  report(error: Error): void;
}

export interface SignInOptions {
  database: Database;
  baseUrl: string;
  authSecret: string;
  providers: readonly ProviderSettings[];
  mailer?: Mailer;
  logger: Logger;
  /** The address of whoever sent a request with these headers; null where it is not known. */
  addressOf(headers: Headers): string | null;
}

export function openSignIn({ database, baseUrl, authSecret, providers, mailer, logger, addressOf }: SignInOptions): SignInService {
  const { origin, protocol } = new URL(baseUrl);
  const key = deviceKey(authSecret);
  /** Puts a mark for the browser in the place of whose it is. */
  const marked = <T extends { owner: DeviceOwner }>({ owner, ...came }: T, { devices }: Visitor) => ({
    ...came,
    devices: withDevice(key, devices, owner, randomBytes(DEVICE_BYTES)),
  });
  return {
    settings: { secret: authSecret, origin, isSecure: protocol === "https:", providers, canMail: mailer !== undefined },
    browserOf: (headers) => ({ address: addressOf(headers), userAgent: headers.get("user-agent") }),
    async signIn(credentials, visitor) {
      const signedIn = await signIns.signIn(database, credentials, visitor, (owner) => deviceOf(key, visitor.devices, owner));
      return "owner" in signedIn ? marked(signedIn, visitor) : signedIn;
    },
    signInByProvider(account, browser) {
      const oidc = providers.find(({ id }) => id === account.provider && id === "oidc") as OidcSettings | undefined;
      // A person's id is unique at its issuer alone: another issuer's accounts are others.
      return oidc === undefined
        ? signInByProvider(database, account, browser)
        : signInByProvider(database, { ...account, provider: `oidc:${oidc.issuer}` }, browser, oidc.joining);
    },
    signOut: (sessionId) => signOut(database, sessionId),
    invitation: (token) => findInvitation(database, token),
    async acceptWithNewAccount(token, password, visitor) {
      const accepted = await invitations.acceptWithNewAccount(database, token, password, visitor);
      return "owner" in accepted ? marked(accepted, visitor) : accepted;
    },
    async acceptAs(token, sessionId) {
      const person = await findPerson(database, sessionId);
      return person === null ? { refusal: "Your session has ended. Sign in again." } : invitations.acceptAs(database, token, person);
    },
    async requestReset(email, browser) {
      if (mailer === undefined) return;
      const made = await requestReset(database, email, browser.address);
      if (made !== null) await mailer.send(resetMail(made.email, resetLink(baseUrl, made.token)));
    },
    reset: (token) => findReset(database, token),
    async resetPassword(token, password, visitor) {
      const done = await accounts.resetPassword(database, token, password, visitor);
      return "owner" in done ? marked(done, visitor) : done;
    },
    async remember(sessionId, visitor) {
      const person = await findPerson(database, sessionId);
      const owner = person && (await findDeviceOwner(database, person));
      return owner && marked({ owner }, visitor).devices;
    },
    report: (error) => logger.error({ err: error, cause: causeOf(error) }, "signing in by a provider failed"),
  };
}

/** The kind and words of an error that next-auth wraps. The rest may hold the provider's whole answer, and the code that was exchanged for it. */
function causeOf({ cause }: Error): object | undefined {
  const inner = cause instanceof Error ? cause : (cause as { err?: unknown } | undefined)?.err;
  return inner instanceof Error ? { name: inner.name, message: inner.message, code: (inner as { code?: unknown }).code } : undefined;
}

/** The way out for mail where a mail server is set. Why one was not taken is for whoever operates the service; the rest is in no log. */
export const mailerOf = ({ smtpUrl, baseUrl }: { smtpUrl?: string; baseUrl: string }, logger: Logger): Mailer | undefined =>
  smtpUrl === undefined
    ? undefined
    : openMailer(smtpUrl, baseUrl, (error) => {
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
        logger.error({ code, responseCode }, "the mail server did not take a mail");
      });
