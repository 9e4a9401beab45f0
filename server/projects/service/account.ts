import { type Database, transact, type Transaction } from "../../../db/client.ts";
import { Refused } from "../../kernel/refused.ts";
import { type Actor, COMMAND_LINE } from "../../kernel/roles.ts";
import { waitInWords } from "../attempts.ts";
import type { DeviceOwner } from "../devices.ts";
import { emailProblem, plainEmail } from "../emails.ts";
import { RESET_MS, tokenHash } from "../links.ts";
import { passwordProblem } from "../passwords.ts";
import * as store from "../store/people.ts";
import { deleteResetsOf, selectReset, takeReset, upsertReset } from "../store/resets.ts";
import * as sessions from "../store/sessions.ts";
import { beginMail, beginSignIn, forgiveAccount } from "./attempts.ts";
import { BUSY, hashed, hashedInTurn, isPasswordOf, newPassword } from "./hashing.ts";
import { newToken } from "./invitations.ts";
import { recordAboutPerson } from "./joining.ts";
import { type InProject, memberForReset } from "./members.ts";
import { mayStillReset } from "./open-links.ts";
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

/** A person as their browser remembers them; null where they have no password. */
export async function ownerOf({ sql }: Database, { userId }: { userId: string }): Promise<DeviceOwner | null> {
  const user = await store.selectUser(sql, userId);
  return user?.passwordHash == null ? null : { userId, passwordHash: user.passwordHash };
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
  const before = user?.passwordHash ?? null;
  if (before !== null) {
    const attempt = await beginSignIn(database, `own password of ${person.userId}`, null);
    if (attempt.waitMs > 0) {
      return [{ pointer: "#/current", message: `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.` }];
    }
    const isIt = await isPasswordOf(current, before);
    if (isIt === null) {
      await attempt.withdrawn();
      return [{ pointer: "#/current", message: "This could not be looked at just now. Try again in a few seconds." }];
    }
    if (!isIt) return NOT_YOURS;
    await attempt.succeeded();
  }
  const passwordHash = await hashed(next);
  const isChanged = await transact(database, async (tx) => {
    await store.lockPerson(tx, person.userId);
    // Set by a link meanwhile, it was not theirs who gave the one before.
    if ((await store.selectUser(tx, person.userId))?.passwordHash !== before) return false;
    // Without a password nobody is signed in but with a provider, which has said who they are.
    const isConfirmed = before === null ? true : undefined;
    await setPassword(tx, person, { passwordHash, isConfirmed, keptSessionId: person.sessionId });
    return true;
  });
  return isChanged ? [] : NOT_YOURS;
}

const NOT_YOURS = [{ pointer: "#/current", message: "That is not your password." }];

/** A generated password for whoever operates the service to hand on; every session of the person ends. Throws Refused. */
export async function renewPassword(database: Database, email: string): Promise<{ email: string; password: string }> {
  const user = await store.selectUserByEmail(database.sql, plainEmail(email));
  if (user === null) throw new Refused(`There is no user ${plainEmail(email)}.`);
  const password = newPassword();
  const passwordHash = await hashed(password);
  const person = { userId: user.id, email: user.email };
  await transact(database, async (tx) => {
    await store.lockPerson(tx, user.id);
    await setPassword(tx, person, { passwordHash, isConfirmed: false, actor: COMMAND_LINE });
  });
  await forgiveAccount(database, user.email);
  return { email: user.email, password };
}

interface NewPassword {
  passwordHash: string;
  /** Whether nobody but its owner can know it; left out: as much as of the one before. */
  isConfirmed: boolean | undefined;
  keptSessionId?: string;
  /** Themselves, if left out. */
  actor?: Actor;
}

/** Sets a password and ends what the one before has opened, and every link to set another; call it with the person held. */
async function setPassword(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  { passwordHash, isConfirmed, keptSessionId, actor = { userId, name: email } }: NewPassword,
): Promise<void> {
  await store.updatePassword(tx, userId, passwordHash, isConfirmed);
  await sessions.deleteSessionsOf(tx, userId, keptSessionId);
  await deleteResetsOf(tx, userId);
  await recordAboutPerson(tx, userId, { actor, action: "change_password", subjectKey: email, difference: null });
}

/** A link by which a member sets a new password, for an Admin to hand on. Throws Refused where that is not theirs to give. */
export async function makeReset(database: Database, where: InProject, membershipId: string): Promise<{ token: string; email: string }> {
  const { token, hash } = newToken();
  const { email } = await transact(database, async (tx) => {
    const member = await memberForReset(tx, where, membershipId);
    const { actor, person, project } = where;
    const maker = { userId: person.userId, organizationId: project.organizationId };
    await upsertReset(tx, { userId: member.userId, maker, tokenHash: hash, lastsMs: RESET_MS });
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

/**
 * A link for whoever says that they forgot their password, to be mailed to the address; null where nothing is to be sent. It stands
 * beside the link that an Admin has made, as anybody may ask for it.
 */
export async function requestReset(
  database: Database,
  email: string,
  address: string | null,
): Promise<{ token: string; email: string } | null> {
  const plain = plainEmail(email).slice(0, 300);
  const { waitMs } = await beginMail(database, plain, address);
  const user = waitMs > 0 || emailProblem(plain) !== null ? null : await store.selectUserByEmail(database.sql, plain);
  if (user === null) return null;
  const { token, hash } = newToken();
  await upsertReset(database.sql, { userId: user.id, maker: null, tokenHash: hash, lastsMs: RESET_MS });
  return { token, email: user.email };
}

/** Whose password a link sets; null for one that has expired, been used or become void. */
export async function resetOf({ sql }: Database, token: string): Promise<{ email: string } | null> {
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(sql, hash);
  return found !== null && (await mayStillReset(sql, found)) ? { email: found.email } : null;
}

/** What came of a link; `problem` is about the password, `refusal` about the link. */
export type PasswordSet = { sessionId: string; owner: DeviceOwner } | { problem: string } | { refusal: string };

const GONE = { refusal: "This link has expired or been used. Ask for a new one." };

/** Sets a new password by a link, ends every session, and signs in. */
export async function resetPassword(database: Database, token: string, password: string, browser: Browser): Promise<PasswordSet> {
  const hash = tokenHash(token);
  const found = hash === null ? null : await selectReset(database.sql, hash);
  if (hash === null || found === null || !(await mayStillReset(database.sql, found))) return GONE;
  const problem = passwordProblem(password, found.email);
  if (problem !== null) return { problem };
  const passwordHash = await hashedInTurn(password);
  if (passwordHash === null) return { refusal: BUSY };
  const { userId, maker } = found;
  const done = await transact(database, async (tx): Promise<PasswordSet> => {
    if (maker !== null) await store.lockOrganization(tx, maker.organizationId);
    await store.lockPerson(tx, userId);
    if (!(await takeReset(tx, hash)) || !(await mayStillReset(tx, found))) return GONE;
    // A link that went to the address alone proves whose it is; one that an Admin has seen does not.
    await setPassword(tx, found, { passwordHash, isConfirmed: maker === null });
    return { sessionId: await openSession(tx, userId, browser), owner: { userId, passwordHash } };
  });
  if ("sessionId" in done) await forgiveAccount(database, found.email);
  return done;
}
