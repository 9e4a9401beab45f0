import { ORPCError } from "@orpc/server";
import type { Database } from "../../db/client.ts";
import { findPerson } from "../identity/find-person.ts";
import type { Actor } from "../kernel/roles.ts";
import { findTokenHolder } from "../tokens/find-holder.ts";
import { isBearer, type TokenBounds } from "../tokens/token.ts";

/** The credentials in a request to the dashboard's procedures. */
export interface Credentials {
  /** From the browser's cookie; null without one. */
  sessionId: string | null;
  /** The Authorization header. A bearer token in it counts alone, whatever cookie comes along. */
  authorization?: string | null;
}

/** The caller: a person with a session, or with a token. */
export interface Caller {
  /** `sessionId` is left out where a token speaks. */
  person: { userId: string; email: string; sessionId?: string };
  actor: Actor;
  /** Null for a session. */
  token: TokenBounds | null;
}

/**
 * Whether the call has a token and no cookie. Another site can make a browser send cookies but no Authorization header of its choice, so
 * such a call needs no CSRF header.
 */
export const speaksByToken = ({ authorization }: Pick<Credentials, "authorization">): boolean => isBearer(authorization);

/** Identifies the caller in the database, each time. Throws the ORPCError UNAUTHORIZED, with words for people, where there is none. */
export async function callerOf(database: Database, { sessionId, authorization }: Credentials): Promise<Caller> {
  if (isBearer(authorization)) {
    const holder = await findTokenHolder(database, authorization);
    if ("refusal" in holder) throw new ORPCError("UNAUTHORIZED", { message: holder.refusal });
    const { person, token } = holder;
    return { person, actor: { userId: person.userId, name: person.email, token: token.name }, token };
  }
  const person = sessionId === null ? null : await findPerson(database, sessionId);
  if (person === null) throw new ORPCError("UNAUTHORIZED", { message: "Sign in to go on." });
  return { person, actor: { userId: person.userId, name: person.email }, token: null };
}
