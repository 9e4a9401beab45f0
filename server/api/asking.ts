import { ORPCError } from "@orpc/server";
import { getToken } from "next-auth/jwt";
import type { Database } from "../../db/client.ts";
import { callerOf, type Credentials, speaksByToken } from "./caller.ts";
import { sessionCookie } from "./session-cookie.ts";

/** What the dashboard's own client sends along with every call, and a form of another site cannot. */
const CSRF = { header: "x-csrf-token", value: "orpc" } as const;

/** What the browser's token is read with. */
export interface TokenSettings {
  /** Signs the token in the browser. */
  secret: string;
  /** Whether cookies are for https alone. */
  isSecure: boolean;
}

/**
 * The session that the browser's token names; null without a token of ours. Whether it has ended is asked of the database, by whoever
 * is called with it.
 */
export async function sessionIdOf(cookie: string | undefined, { secret, isSecure }: TokenSettings): Promise<string | null> {
  if (cookie === undefined) return null;
  const token = await getToken({
    req: { headers: { cookie } },
    secret,
    cookieName: sessionCookie(isSecure).name,
    secureCookie: isSecure,
  });
  return typeof token?.["sessionId"] === "string" ? token["sessionId"] : null;
}

/** Who asks, and what the procedures' own guard (access.ts) looks them up by once more. */
export interface Asking {
  userId: string;
  credentials: Credentials;
}

/**
 * Who calls a procedure over the network, told by the headers alone, so that a stranger is refused before their body is read.
 * ORPCErrors: CSRF_TOKEN_MISMATCH (403), UNAUTHORIZED.
 */
export async function whoAsks(database: Database, settings: TokenSettings, header: (name: string) => string | undefined): Promise<Asking> {
  const credentials = await credentialsOf(settings, header);
  const { person } = await callerOf(database, credentials);
  return { userId: person.userId, credentials };
}

/** With a person's own token the cookie is not looked at, and needs no guard. */
async function credentialsOf(settings: TokenSettings, header: (name: string) => string | undefined): Promise<Credentials> {
  const authorization = header("authorization") ?? null;
  if (speaksByToken({ authorization })) return { sessionId: null, authorization };
  if (header(CSRF.header) !== CSRF.value)
    throw new ORPCError("CSRF_TOKEN_MISMATCH", { status: 403, message: "Invalid CSRF token: a call says X-CSRF-Token: orpc." });
  return { sessionId: await sessionIdOf(header("cookie"), settings) };
}
