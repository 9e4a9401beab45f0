import type { Database, Sql } from "#db/client.ts";
import { type Browser, shortBrowser } from "../../model/identity/browser.ts";
import { isUuid } from "../../model/kernel/stored.ts";
import { deleteSession, deleteSessionsOf, insertSession, type PersonRow, selectPerson, touchSession } from "./store/sessions.ts";
import { deleteDevices } from "./store/second-factors.ts";
import type { DeviceOwner } from "../../model/identity/devices.ts";
import { selectUser } from "./store/users.ts";

/** Starts a session for a user verified by password, link or provider. */
export const openSession = (sql: Sql, userId: string, browser: Browser, isByProvider = false): Promise<string> =>
  insertSession(sql, userId, shortBrowser(browser), isByProvider);

export type Person = Omit<PersonRow, "isUseDue">;

/** The person of a session; null if it has ended. Uncached, so that an end takes effect with the next request. */
export async function findPerson({ sql }: Database, sessionId: string): Promise<Person | null> {
  const row = isUuid(sessionId) ? await selectPerson(sql, sessionId) : null;
  if (row === null) return null;
  const { isUseDue, ...person } = row;
  // Only shown in the dashboard: the request neither waits for it nor fails with it.
  if (isUseDue) touchSession(sql, sessionId).catch(() => {});
  return person;
}

/** The owner that a device cookie stores; null for a person without a password. */
export async function findDeviceOwner({ sql }: Database, { userId }: { userId: string }): Promise<DeviceOwner | null> {
  const user = await selectUser(sql, userId);
  return user?.passwordHash == null ? null : { userId, passwordHash: user.passwordHash };
}

/** Ends one of a person's own sessions; false if they have no such session. */
export const endSession = ({ sql }: Database, person: { userId: string }, sessionId: string): Promise<boolean> =>
  deleteSession(sql, sessionId, person.userId);

/** Ends a person's sessions except the current one, and returns their number. */
export const endOtherSessions = ({ sql }: Database, person: { userId: string; sessionId: string }): Promise<number> =>
  deleteSessionsOf(sql, person.userId, person.sessionId);

/** Forgets one of a person's remembered browsers, or with null all: they need a code again. */
export const forgetDevices = ({ sql }: Database, { userId }: { userId: string }, id: string | null): Promise<number> =>
  deleteDevices(sql, userId, id);

/** Ends a session, which voids the token in the browser. */
export async function signOut({ sql }: Database, sessionId: string): Promise<void> {
  await deleteSession(sql, sessionId);
}
