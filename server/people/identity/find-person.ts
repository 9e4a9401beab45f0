import type { Database } from "#db/client.ts";
import { selectPerson, touchSession } from "./store/sessions.ts";

/** A person with a session. */
export interface Person {
  sessionId: string;
  userId: string;
  email: string;
}

/** The person of a session. It is looked up each time, so that an end holds from the next request on. Null where it has ended. */
export async function findPerson({ sql }: Database, sessionId: string): Promise<Person | null> {
  const row = UUID.test(sessionId) ? await selectPerson(sql, sessionId) : null;
  if (row === null) return null;
  const { isUseDue, ...person } = row;
  // A note for people; the request neither waits for it nor fails with it.
  if (isUseDue) touchSession(sql, sessionId).catch(() => {});
  return person;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
