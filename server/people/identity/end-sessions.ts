import type { Database } from "#db/client.ts";
import { deleteSession, deleteSessionsOf } from "./store/sessions.ts";

/** Ends one of a person's own sessions; false if they have no such session. */
export const endSession = ({ sql }: Database, person: { userId: string }, sessionId: string): Promise<boolean> =>
  deleteSession(sql, sessionId, person.userId);

/** Ends a person's sessions except the current one, and returns their number. */
export const endOtherSessions = ({ sql }: Database, person: { userId: string; sessionId: string }): Promise<number> =>
  deleteSessionsOf(sql, person.userId, person.sessionId);

/** Ends a session, which voids the token in the browser. */
export async function signOut({ sql }: Database, sessionId: string): Promise<void> {
  await deleteSession(sql, sessionId);
}
