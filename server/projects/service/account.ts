import { type Database, transact, type Transaction } from "../../../db/client.ts";
import { Refused } from "../../kernel/refused.ts";
import { type Actor, COMMAND_LINE } from "../../kernel/roles.ts";
import { waitInWords } from "../attempts.ts";
import { plainEmail } from "../emails.ts";
import { RESET_MS, tokenHash } from "../links.ts";
import { passwordProblem } from "../passwords.ts";
import { deleteResetOf, selectReset, takeReset, upsertReset } from "../store/invitations.ts";
import * as store from "../store/people.ts";
import * as sessions from "../store/sessions.ts";
import { beginMail, beginSignIn, forgiveAccount } from "./attempts.ts";
import { hashed, isPasswordOf, newPassword } from "./hashing.ts";
import { newToken } from "./invitations.ts";
import { recordAboutPerson } from "./joining.ts";
import { type InProject, memberForReset } from "./members.ts";
import { type Browser, openSession } from "./sign-in.ts";

/** A person's own account. */
export interface Account {
  email: string;
  hasPassword: boolean;
  /** Providers that they have signed in with. */
  providers: string[];
  sessions: (sessions.SessionRow & { isCurrent: boolean })[];
}

export async function readAccount({ sql }: Database, person: { userId: string; sessionId: string }): Promise<Account> {
  const [user, providers, open] = await Promise.all([
    store.selectUser(sql, person.userId),
    store.selectProviders(sql, person.userId),
    sessions.selectSessions(sql, person.userId),
  ]);
  return {
    email: user?.email ?? "",
    hasPassword: user?.passwordHash != null,
    providers,
    sessions: open.map((session) => ({ ...session, isCurrent: session.id === person.sessionId })),
  };
}

/** Ends one of a person's own sessions; false where they have no such session. */
export const endSession = ({ sql }: Database, person: { userId: string }, sessionId: string): Promise<boolean> =>
  sessions.deleteSession(sql, sessionId, person.userId);

/** Ends a person's sessions but the one they ask from; how many there were. */
export const endOtherSessions = ({ sql }: Database, person: { userId: string; sessionId: string }): Promise<number> =>
  sessions.deleteSessionsOf(sql, person.userId, person.sessionId);

/**
 * Changes a person's own password and ends their other sessions; what is wrong by field. The password so far counts like a sign-in:
 * who sits at somebody's open browser does not get to guess it.
 */
export async function changePassword(
  database: Database,
  person: { userId: string; sessionId: string; email: string },
  { current, next }: { current: string; next: string },
): Promise<{ pointer: string; message: string }[]> {
  const wrong = passwordProblem(next, person.email);
  if (wrong !== null) return [{ pointer: "#/next", message: wrong }];
  const user = await store.selectUser(database.sql, person.userId);
  if (user?.passwordHash != null) {
    const attempt = await beginSignIn(database, `own password of ${person.userId}`, null);
    if (attempt.waitMs > 0) {
      return [{ pointer: "#/current", message: `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.` }];
    }
    const isIt = await isPasswordOf(current, user.passwordHash);
    if (isIt === false) return [{ pointer: "#/current", message: "That is not your password." }];
    await attempt.succeeded();
    if (isIt === null) return [{ pointer: "#/current", message: "This could not be looked at just now. Try again in a few seconds." }];
  }
  const passwordHash = await hashed(next);
  await transact(database, (tx) => setPassword(tx, person, passwordHash, person.sessionId));
  return [];
}

/** A generated password for whoever operates the service to hand on; every session of the person ends. Throws Refused. */
export async function renewPassword(database: Database, email: string): Promise<{ email: string; password: string }> {
  const user = await store.selectUserByEmail(database.sql, plainEmail(email));
  if (user === null) throw new Refused(`There is no user ${plainEmail(email)}.`);
  const password = newPassword();
  const passwordHash = await hashed(password);
  const person = { userId: user.id, email: user.email };
  await transact(database, (tx) => setPassword(tx, person, passwordHash, null, COMMAND_LINE));
  await forgiveAccount(database, user.email);
  return { email: user.email, password };
}

async function setPassword(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  passwordHash: string,
  keptSessionId: string | null,
  actor: Actor = { userId, name: email },
): Promise<void> {
  await store.updatePassword(tx, userId, passwordHash);
  await sessions.deleteSessionsOf(tx, userId, keptSessionId);
  await deleteResetOf(tx, userId);
  await recordAboutPerson(tx, userId, { actor, action: "change_password", subjectKey: email, difference: null });
}

/** A link by which a member sets a new password, for an Admin to hand on. Throws Refused where that is not theirs to give. */
export async function makeReset(database: Database, where: InProject, membershipId: string): Promise<{ token: string; email: string }> {
  const { token, hash } = newToken();
  const { email } = await transact(database, async (tx) => {
    const member = await memberForReset(tx, where, membershipId);
    await upsertReset(tx, member.userId, hash, RESET_MS);
    const { actor } = where;
    await recordAboutPerson(tx, member.userId, {
      actor,
      action: "reset_password",
      subjectKey: member.email,
      difference: null,
    });
    return member;
  });
  return { token, email };
}

/** A link for whoever says that they forgot their password, to be mailed to the address; null where nothing is to be sent. */
export async function requestReset(
  database: Database,
  email: string,
  address: string | null,
): Promise<{ token: string; email: string } | null> {
  const plain = plainEmail(email).slice(0, 300);
  const { waitMs } = await beginMail(database, plain, address);
  const user = waitMs > 0 ? null : await store.selectUserByEmail(database.sql, plain);
  if (user === null) return null;
  const { token, hash } = newToken();
  await upsertReset(database.sql, user.id, hash, RESET_MS);
  return { token, email: user.email };
}

/** Whose password a link sets; null for one that has expired or been used. */
export async function resetOf({ sql }: Database, token: string): Promise<{ email: string } | null> {
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(sql, hash);
  return found && { email: found.email };
}

/** Sets a new password by a link, ends every session, and signs in. */
export async function resetPassword(
  database: Database,
  token: string,
  password: string,
  browser: Browser,
): Promise<{ sessionId: string } | { problem: string } | { refusal: string }> {
  const gone = { refusal: "This link has expired or been used. Ask for a new one." };
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(database.sql, hash);
  if (hash === null || found === null) return gone;
  const problem = passwordProblem(password, found.email);
  if (problem !== null) return { problem };
  const passwordHash = await hashed(password);
  const isTaken = await transact(database, async (tx) => {
    if ((await takeReset(tx, hash)) === null) return false;
    await setPassword(tx, found, passwordHash, null);
    return true;
  });
  if (!isTaken) return gone;
  await forgiveAccount(database, found.email);
  return { sessionId: await openSession(database, found.userId, browser) };
}
