import { ORPCError } from "@orpc/server";
import type { Database } from "../../db/client.ts";
import { findPerson } from "../identity/find-person.ts";
import type { Actor } from "../kernel/roles.ts";
import { findTokenHolder } from "../tokens/find-holder.ts";
import { isBearer, type TokenBounds } from "../tokens/token.ts";

/** What a request to the dashboard's procedures says of who sends it. */
export interface Credentials {
  /** Of the browser's cookie; null for who is not signed in. */
  sessionId: string | null;
  /** The Authorization header. With a bearer token in it the token alone counts, whatever cookie comes along. */
  authorization?: string | null;
}

/** Who is asking: somebody who is signed in, or somebody by a token of theirs. */
export interface Caller {
  /** `sessionId` is left out where a token speaks. */
  person: { userId: string; email: string; sessionId?: string };
  actor: Actor;
  /** Null for who is signed in. */
  token: TokenBounds | null;
}

/**
 * Whether a token speaks and no cookie. Another site can make a browser send cookies but no Authorization header of its choice, so
 * such a call needs no CSRF header.
 */
export const speaksByToken = ({ authorization }: Pick<Credentials, "authorization">): boolean => isBearer(authorization);

/** Who is asking, asked of the database each time. Throws the ORPCError UNAUTHORIZED, with words for people, where nobody is. */
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
