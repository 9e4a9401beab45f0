import type { Database } from "#db/client.ts";
import { deleteSession, deleteSessionsOf } from "./store/sessions.ts";

/** Ends one of a person's own sessions; false where they have no such session. */
export const endSession = ({ sql }: Database, person: { userId: string }, sessionId: string): Promise<boolean> =>
  deleteSession(sql, sessionId, person.userId);

/** Ends a person's sessions but the one they ask from; how many there were. */
export const endOtherSessions = ({ sql }: Database, person: { userId: string; sessionId: string }): Promise<number> =>
  deleteSessionsOf(sql, person.userId, person.sessionId);

/** Ends a session; the token in the browser is worth nothing from then on. */
export async function signOut({ sql }: Database, sessionId: string): Promise<void> {
  await deleteSession(sql, sessionId);
}
