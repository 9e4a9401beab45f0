import { ORPCError } from "@orpc/server";
import type { Database } from "../../db/client.ts";
import { callerOf, type Credentials, speaksByToken } from "./caller.ts";
import { sessionCookie } from "./session-cookie.ts";
import { SIGNED_IN_AS } from "./signed-in-as.ts";

/** Sent by the dashboard's client with every call. Forms of other sites cannot send it. */
const CSRF = { header: "x-csrf-token", value: "orpc" } as const;

/** The settings for reading the browser's token. */
export interface TokenSettings {
  /** Signs the token in the browser. */
  secret: string;
  /** Whether cookies are https-only. */
  isSecure: boolean;
}

/** The session in the browser's token; null without a valid token. The database decides whether it has ended. */
export async function sessionIdOf(cookie: string | undefined, { secret, isSecure }: TokenSettings): Promise<string | null> {
  if (cookie === undefined) return null;
  // Loaded with the first session: 50 modules that neither `/v1` nor workers need.
  const { getToken } = await import("next-auth/jwt");
  const token = await getToken({
    req: { headers: { cookie } },
    secret,
    cookieName: sessionCookie(isSecure).name,
    secureCookie: isSecure,
  });
  return typeof token?.["sessionId"] === "string" ? token["sessionId"] : null;
}

/**
 * Identifies a caller by the headers alone, so that unauthorized callers are refused before their body is read; the procedures' guard
 * (access.ts) takes the caller from here. ORPCErrors: CSRF_TOKEN_MISMATCH (403), UNAUTHORIZED.
 */
export async function identifyCaller(
  database: Database,
  settings: TokenSettings,
  header: (name: string) => string | undefined,
): Promise<Required<Credentials>> {
  const credentials = await credentialsOf(settings, header);
  const caller = await callerOf(database, credentials);
  const { person, token } = caller;
  const page = header(SIGNED_IN_AS);
  if (token === null && page !== undefined && page !== encodeURIComponent(person.email))
    throw new ORPCError("UNAUTHORIZED", { message: "Another user has signed in in this browser. Reload the page." });
  return { authorization: null, ...credentials, caller, identifiedAt: performance.now() };
}

/**
 * The credentials of a followed link, which cannot carry our header. None is needed, as a link changes nothing; cross-site links, which
 * browsers mark as such, are refused. ORPCErrors: FORBIDDEN.
 */
export async function credentialsOfLink(settings: TokenSettings, header: (name: string) => string | undefined): Promise<Credentials> {
  const authorization = header("authorization") ?? null;
  if (speaksByToken({ authorization })) return { sessionId: null, authorization };
  const site = header("sec-fetch-site") ?? "none";
  if (site !== "same-origin" && site !== "none") throw new ORPCError("FORBIDDEN", { message: "This link is for the dashboard alone." });
  return { sessionId: await sessionIdOf(header("cookie"), settings) };
}

/** With a personal token the cookie is ignored, so no CSRF header is needed. */
async function credentialsOf(settings: TokenSettings, header: (name: string) => string | undefined): Promise<Credentials> {
  const authorization = header("authorization") ?? null;
  if (speaksByToken({ authorization })) return { sessionId: null, authorization };
  if (header(CSRF.header) !== CSRF.value)
    throw new ORPCError("CSRF_TOKEN_MISMATCH", { status: 403, message: "Invalid CSRF token: a call says X-CSRF-Token: orpc." });
  return { sessionId: await sessionIdOf(header("cookie"), settings) };
}
