import type { Database } from "#db/client.ts";
import { selectPerson, touchSession } from "./store/sessions.ts";

/** A person with a session. */
export interface Person {
  sessionId: string;
  userId: string;
  email: string;
}

/** The person of a session; null if it has ended. Uncached, so that an end takes effect with the next request. */
export async function findPerson({ sql }: Database, sessionId: string): Promise<Person | null> {
  const row = UUID.test(sessionId) ? await selectPerson(sql, sessionId) : null;
  if (row === null) return null;
  const { isUseDue, ...person } = row;
  // Only shown in the dashboard: the request neither waits for it nor fails with it.
  if (isUseDue) touchSession(sql, sessionId).catch(() => {});
  return person;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
