import { randomBytes } from "node:crypto";
import type { Database } from "../../db/client.ts";
import * as invitations from "../people/identity/invite.ts";
import { findInvitation, type InvitationView } from "../people/identity/invite.ts";
import type { Browser } from "../model/identity/browser.ts";
import { openMailer } from "../people/identity/client.ts";
import { DEVICE_BYTES, deviceKey, deviceOf, type DeviceOwner, withDevice } from "../model/identity/devices.ts";
import { findDeviceOwner, findPerson, signOut } from "../people/identity/sessions.ts";
import * as accounts from "../people/identity/reset.ts";
import { findReset, requestReset } from "../people/identity/reset.ts";
import { type Mailer, resetLink, resetMail } from "../model/identity/mails.ts";
import * as signIns from "../people/identity/sign-in.ts";
import { type ProviderAccount, type ProviderRefusal, signInByProvider } from "../people/identity/sign-in.ts";
import type { OidcSettings, ProviderSettings } from "../people/identity/sign-in-providers.ts";
import type { Logger } from "./log.ts";

/** What the pages need to sign users in and recognize them. */
export interface SignInSettings {
  /** Signs the token in the browser. */
  secret: string;
  /** The public address without its path; providers redirect to it. */
  origin: string;
  /** Whether cookies are https-only. */
  isSecure: boolean;
  providers: readonly ProviderSettings[];
  /** Whether passwords can be reset by mail. */
  canMail: boolean;
}

type Credentials = { email: string; password: string };

/** A browser, with its device cookie or null. */
export interface Visitor extends Browser {
  devices: string | null;
}

/** A new session, and the browser's new device cookie. */
export interface SignedIn {
  sessionId: string;
  devices: string;
}

/** Calls for signed-out users. The contracts have those for signed-in ones. */
export interface SignInService {
  settings: SignInSettings;
  /** The origin of a request, as far as it is trusted. */
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
  /** Mails a reset link. The answer is the same for unknown addresses. */
  requestReset(email: string, browser: Browser): Promise<void>;
  reset(token: string): Promise<{ email: string } | null>;
  resetPassword(token: string, password: string, visitor: Visitor): Promise<SignedIn | { problem: string } | { refusal: string }>;
  /** The device cookie after the signed-in user has changed their password; null if there is none. */
  remember(sessionId: string, visitor: Visitor): Promise<string | null>;
  /** Logs an error between the service and a provider. */
  report(error: Error): void;
}

export interface SignInOptions {
  database: Database;
  baseUrl: string;
  authSecret: string;
  providers: readonly ProviderSettings[];
  mailer?: Mailer;
  logger: Logger;
  /** The client's address, from the headers; null if unknown. */
  addressOf(headers: Headers): string | null;
}

export function openSignIn({ database, baseUrl, authSecret, providers, mailer, logger, addressOf }: SignInOptions): SignInService {
  const { origin, protocol } = new URL(baseUrl);
  const key = deviceKey(authSecret);
  /** Replaces the owner with a device cookie. */
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
      // A user's id is unique only within its issuer: accounts of another issuer are different.
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

/**
 * The kind and message of an error that next-auth wraps. The rest may hold the provider's whole response, and the code exchanged for it.
 */
function causeOf({ cause }: Error): object | undefined {
  const inner = cause instanceof Error ? cause : (cause as { err?: unknown } | undefined)?.err;
  return inner instanceof Error ? { name: inner.name, message: inner.message, code: (inner as { code?: unknown }).code } : undefined;
}

/** Sends mail if a mail server is configured. The reason for a failure is for the operator; nothing else is logged. */
export const mailerOf = ({ smtpUrl, baseUrl }: { smtpUrl?: string; baseUrl: string }, logger: Logger): Mailer | undefined =>
  smtpUrl === undefined
    ? undefined
    : openMailer(smtpUrl, baseUrl, (error) => {
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
        logger.error({ code, responseCode }, "the mail server did not take a mail");
      });
