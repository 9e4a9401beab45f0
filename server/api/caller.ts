import { ORPCError } from "@orpc/server";
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/client.ts";
import { findPerson, type Person } from "../people/identity/sessions.ts";
import type { Actor } from "../model/kernel/environment.ts";
import { findTokenHolder, type TokenHolder } from "../people/tokens/tokens.ts";
import { type CallingToken, hashOfToken, isBearer } from "../model/tokens/token.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

/** The credentials in a request to the dashboard's procedures. */
export interface Credentials {
  /** From the browser's cookie; null if absent. */
  sessionId: string | null;
  /** The Authorization header. A bearer token in it overrides any cookie. */
  authorization?: string | null;
  /** The caller, if this request has identified them by these credentials, and when, in milliseconds of `performance.now()`. */
  caller?: Caller;
  identifiedAt?: number;
}

/** Access is read again after this time: it may have ended while the call waited for its body or its turn. */
const TRUSTED_MS = 1000;

export const isOutdated = (readAt: number): boolean => performance.now() - readAt > TRUSTED_MS;

export interface Caller {
  /** For a token, only the user's id and email. */
  person: Pick<Person, "userId" | "email"> & Partial<Person>;
  actor: Actor;
  /** Null for a session. */
  token: CallingToken | null;
}

/**
 * Whether the call has a token and no cookie. Other sites can make a browser send cookies, but no Authorization header of their choice, so
 * such a call needs no CSRF header.
 */
export const speaksByToken = ({ authorization }: Pick<Credentials, "authorization">): boolean => isBearer(authorization);

/** Identifies the caller in the database, again if that was a while ago. Throws the ORPCError UNAUTHORIZED with a readable message. */
export async function callerOf(database: Database, { sessionId, authorization, caller, identifiedAt = 0 }: Credentials): Promise<Caller> {
  if (caller !== undefined && !isOutdated(identifiedAt)) return caller;
  if (isBearer(authorization)) {
    const { person, token } = await holderOf(database, authorization);
    return { person, actor: { userId: person.userId, name: person.email, token: token.name }, token };
  }
  const person = sessionId === null ? null : await findPerson(database, sessionId);
  if (person === null) throw new ORPCError("UNAUTHORIZED", { message: "Your session ended. Sign in to continue." });
  return { person, actor: { userId: person.userId, name: person.email }, token: null };
}

/** Tokens that this process has accepted before, by hash. The database decides on every call whether one is still valid. */
const acceptedTokens = new LRUCache<string, true>({ max: 10_000 });

/** Unknown tokens share two look-ups at a time, so that guessing does not exhaust the dashboard's connections. */
const unknownTokens = new ConcurrencyLimiter({ inFlight: 2, waiting: 64 });
const UNKNOWN_TOKENS = "unknown tokens";

async function holderOf(database: Database, authorization: string): Promise<TokenHolder> {
  const hash = hashOfToken(authorization).toString("latin1");
  const isNew = !acceptedTokens.has(hash);
  if (isNew) await acquireForUnknown();
  try {
    const holder = await findTokenHolder(database, authorization);
    if ("refusal" in holder) {
      acceptedTokens.delete(hash);
      throw new ORPCError("UNAUTHORIZED", { message: holder.refusal });
    }
    acceptedTokens.set(hash, true);
    return holder;
  } finally {
    if (isNew) unknownTokens.release(UNKNOWN_TOKENS);
  }
}

async function acquireForUnknown(): Promise<void> {
  try {
    await unknownTokens.acquire(UNKNOWN_TOKENS);
  } catch {
    throw new ORPCError("TOO_MANY_REQUESTS", {
      message: "Too many calls with tokens that are new here are under way. Send this one again in a second.",
    });
  }
}
