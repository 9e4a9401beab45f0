import { randomBytes } from "node:crypto";
import { type Database, selectNow } from "../../db/client.ts";
import * as invitations from "../people/identity/invite.ts";
import { findInvitation, type InvitationView } from "../people/identity/invite.ts";
import type { Browser } from "../model/identity/browser.ts";
import { openMailer } from "../people/identity/client.ts";
import { DEVICE_BYTES, deviceKey, deviceOf, type DeviceOwner, withDevice } from "../model/identity/devices.ts";
import { findDeviceOwner, findPerson, signOut } from "../people/identity/sessions.ts";
import * as accounts from "../people/identity/reset.ts";
import { findReset, requestReset } from "../people/identity/reset.ts";
import { type Mailer, resetLink, resetMail, TOKEN_BYTES, tokenHash, writeToken } from "../model/identity/mails.ts";
import { isTicketOf, ticketKey, ticketOwner, writeTicket } from "../model/identity/second-factor.ts";
import type { SecretCipher } from "../model/webhooks/secret-cipher.ts";
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

/** A browser, with the cookies of earlier sign-ins: users it knows, and those it may sign in without a code. */
export interface Visitor extends Browser {
  devices: string | null;
  remembered: string | null;
}

/** A new session, and the browser's new cookies; `remembered` is left out if it stays. */
export interface SignedIn {
  sessionId: string;
  devices: string;
  remembered?: string;
}

/** The password is right, and a code is asked for: `signInByCode` takes the ticket. */
export interface SecondStep {
  ticket: string;
}

/** Calls of the sign-in pages; those of signed-in users are procedures. */
export interface SignInService {
  settings: SignInSettings;
  /** The origin of a request, as far as it is trusted. */
  browserOf(headers: Headers): Browser;
  signIn(credentials: Credentials, visitor: Visitor): Promise<SignedIn | SecondStep | { refusal: string }>;
  /** The second step. `remember`: this browser needs no code for thirty days. */
  signInByCode(ticket: string, given: { code: string; remember: boolean }, visitor: Visitor): Promise<SignedIn | { refusal: string }>;
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
  resetPassword(
    token: string,
    password: string,
    visitor: Visitor,
  ): Promise<SignedIn | SecondStep | { problem: string } | { refusal: string }>;
  /** The device cookie after the signed-in user has changed their password; null if there is none. */
  remember(sessionId: string, visitor: Visitor): Promise<string | null>;
  /** Logs an error between the service and a provider. One that any visitor can cause is a warning, without its stack. */
  report(error: Error): void;
}

export interface SignInOptions {
  database: Database;
  baseUrl: string;
  authSecret: string;
  providers: readonly ProviderSettings[];
  /** Decrypts second factors. */
  cipher: SecretCipher;
  mailer?: Mailer;
  logger: Logger;
  /** The client's address, from the headers; null if unknown. */
  addressOf(headers: Headers): string | null;
}

export function openSignIn({ database, baseUrl, authSecret, providers, cipher, mailer, logger, addressOf }: SignInOptions): SignInService {
  const { origin, protocol } = new URL(baseUrl);
  const key = deviceKey(authSecret);
  const tickets = ticketKey(authSecret);
  /** Replaces the owner with a device cookie. */
  const marked = <T extends { owner: DeviceOwner }>({ owner, ...came }: T, { devices }: Visitor) => ({
    ...came,
    devices: withDevice(key, devices, owner, randomBytes(DEVICE_BYTES)),
  });
  /** As `marked`; if the sign-in still needs a code, replaces the owner with a ticket. */
  const stepped = async <T extends object>(
    done: T | { owner: DeviceOwner; sessionId: string } | { secondStep: DeviceOwner },
    visitor: Visitor,
  ) =>
    "secondStep" in done
      ? { ticket: writeTicket(tickets, done.secondStep, await selectNow(database.sql)) }
      : "owner" in done
        ? marked(done as { owner: DeviceOwner; sessionId: string }, visitor)
        : (done as T);
  return {
    settings: { secret: authSecret, origin, isSecure: protocol === "https:", providers, canMail: mailer !== undefined },
    browserOf: (headers) => ({ address: addressOf(headers), userAgent: headers.get("user-agent") }),
    async signIn(credentials, visitor) {
      const known = (owner: DeviceOwner) => deviceOf(key, visitor.devices, owner);
      const remembered = tokensIn(visitor.remembered).flatMap((token) => tokenHash(token) ?? []);
      return stepped(await signIns.signIn(database, credentials, visitor, known, remembered), visitor);
    },
    async signInByCode(ticket, { code, remember }, visitor) {
      const userId = ticketOwner(ticket);
      if (userId === null) return { refusal: "Sign in again." };
      const first = { userId, isTicketOf: (owner: DeviceOwner, now: number) => isTicketOf(tickets, ticket, owner, now) };
      const token = remember ? writeToken(randomBytes(TOKEN_BYTES)) : null;
      const given = { code: code.slice(0, MAX_CODE_LENGTH), remember: token === null ? null : tokenHash(token) };
      const done = await signIns.signInByCode(database, cipher, first, given, visitor, (owner) => deviceOf(key, visitor.devices, owner));
      if ("refusal" in done) return done;
      const signedIn = marked(done, visitor);
      return token === null
        ? signedIn
        : { ...signedIn, remembered: [token, ...tokensIn(visitor.remembered)].slice(0, MAX_TOKENS).join("~") };
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
      if (person === null) return { refusal: "Your session has ended. Sign in again." };
      return person.isFactorDue
        ? { refusal: "Set up a second factor first: your organization requires one." }
        : invitations.acceptAs(database, token, person);
    },
    async requestReset(email, browser) {
      if (mailer === undefined) return;
      const made = await requestReset(database, email, browser.address);
      if (made !== null) await mailer.send(resetMail(made.email, resetLink(baseUrl, made.token)));
    },
    reset: (token) => findReset(database, token),
    async resetPassword(token, password, visitor) {
      return stepped(await accounts.resetPassword(database, token, password, visitor), visitor);
    },
    async remember(sessionId, visitor) {
      const person = await findPerson(database, sessionId);
      const owner = person && (await findDeviceOwner(database, person));
      return owner && marked({ owner }, visitor).devices;
    },
    report(error) {
      const reason = abandonmentOf(error);
      if (reason === null) logger.error({ err: error, cause: causeOf(error) }, "signing in by a provider failed");
      else logger.warn({ reason }, "a sign-in by a provider was not completed");
    },
  };
}

/** Longer than a recovery code, however it is typed. */
const MAX_CODE_LENGTH = 100;

/** The most users for whom one browser is remembered. */
const MAX_TOKENS = 5;

/** The tokens in the cookie of a remembered browser. */
const tokensIn = (cookie: string | null): string[] => (cookie === null ? [] : cookie.slice(0, 1000).split("~").slice(0, MAX_TOKENS));

/** Why a sign-in was not completed, as any visitor can cause it: the answer came too late, or to another attempt. Null for faults. */
function abandonmentOf(error: Error): string | null {
  const { type } = error as { type?: string };
  if (type === "OAuthCallbackError") return "cancelled or refused";
  if (isUnknownCode(innerOf(error))) return "unknown code";
  return type === "InvalidCheck" || causeOf(error)?.message.includes("response parameter") === true ? "stale" : null;
}

/**
 * The kind and message of an error that next-auth wraps. The rest may hold the provider's whole response, and the code exchanged for it.
 */
function causeOf(error: Error): { name: string; message: string; code: unknown } | undefined {
  const inner = innerOf(error);
  return inner && { name: inner.name, message: inner.message, code: (inner as { code?: unknown }).code };
}

function innerOf({ cause }: Error): Error | undefined {
  const inner = cause instanceof Error ? cause : (cause as { err?: unknown } | undefined)?.err;
  return inner instanceof Error ? inner : undefined;
}

/** Whether the provider does not know the code that the browser brought. GitHub then answers 200 with an error code of its own. */
function isUnknownCode(error: Error | undefined): boolean {
  const said = error?.cause as { error?: unknown; body?: { error?: unknown } } | undefined;
  return said?.error === "invalid_grant" || said?.body?.error === "bad_verification_code";
}

/** Sends mail if a mail server is configured. Of a failure, only the codes are logged. */
export const mailerOf = ({ smtpUrl, baseUrl }: { smtpUrl?: string; baseUrl: string }, logger: Logger): Mailer | undefined =>
  smtpUrl === undefined
    ? undefined
    : openMailer(smtpUrl, baseUrl, (error) => {
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
        logger.error({ code, responseCode }, "the mail server did not accept a mail");
      });
