import { type Database, transact, type Transaction } from "#db/client.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { waitInWords } from "../../model/identity/attempts.ts";
import { type SignInAttempt, beginSignIn, forgiveAccount } from "./count-attempts.ts";
import { BUSY, hashed, hashedInTurn, isPasswordOf, newPassword } from "./hash-password.ts";
import { passwordProblem } from "../../model/identity/passwords.ts";
import { dropUnconfirmedPassword, lockPerson, selectUser, updatePassword } from "./store/users.ts";
import { type Actor, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { findUser } from "./accounts.ts";
import { revokeAllOf } from "../tokens/tokens.ts";
import { recordAboutPerson } from "./member-changes.ts";
import { deleteResetsOf } from "./store/resets.ts";
import { deleteDevices, deleteFactor } from "./store/second-factors.ts";
import { deleteSessionsOf, selectPerson } from "./store/sessions.ts";

/**
 * Changes a person's own password and ends their other sessions, and on request their tokens; returns problems by field. Checking the
 * current password counts as a sign-in attempt, so that it cannot be guessed from an unattended browser. A first password needs a
 * recent sign-in; without one the result is "unconfirmed".
 */
export async function changePassword(
  database: Database,
  person: { userId: string; sessionId: string; email: string },
  { current, next, endsTokens = false }: { current: string; next: string; endsTokens?: boolean },
): Promise<FieldProblem[] | "unconfirmed"> {
  const wrong = passwordProblem(next, person.email);
  if (wrong !== null) return [{ pointer: "#/next", message: wrong }];
  const user = await selectUser(database.sql, person.userId);
  const before = user?.passwordHash ?? null;
  if (before !== null) {
    const wrong = await proofProblem(database, person.userId, (attempt) => passwordProblemOf(attempt, current, before));
    if (wrong !== null) return [{ pointer: "#/current", message: wrong }];
  }
  const passwordHash = await hashedInTurn(next);
  if (passwordHash === null) return [{ pointer: "#/next", message: BUSY }];
  return transact(database, async (tx) => {
    await lockPerson(tx, person.userId);
    // A reset link has set another password meanwhile, so the given one is outdated.
    if ((await selectUser(tx, person.userId))?.passwordHash !== before) return NOT_YOURS;
    // Otherwise a stolen session could set a first password and confirm every sensitive call with it.
    if (before === null && (await selectPerson(tx, person.sessionId))?.isProofOld !== false) return "unconfirmed";
    // A person without a password signed in by a provider, which confirms their identity.
    const isConfirmed = before === null ? true : undefined;
    await setPassword(tx, person, { passwordHash, isConfirmed, keptSessionId: person.sessionId, endsTokens });
    return [];
  });
}

const NOT_YOUR_PASSWORD = "That is not your password.";
const NOT_YOURS = [{ pointer: "#/current", message: NOT_YOUR_PASSWORD }];

/**
 * Checks a signed-in person's own password or code, and counts failures: neither can be guessed from an unattended browser. Returns why it
 * was not accepted; null if it was.
 */
export async function proofProblem(
  database: Database,
  userId: string,
  check: (attempt: SignInAttempt) => Promise<string | null>,
): Promise<string | null> {
  const attempt = await beginSignIn(database, `own password of ${userId}`, null);
  if (attempt.waitMs > 0) return `Too many attempts have failed. Try again in ${waitInWords(attempt.waitMs)}.`;
  const problem = await check(attempt);
  if (problem === null) await attempt.succeeded();
  return problem;
}

/** Why a password was not accepted; null if it was. */
export async function passwordProblemOf(attempt: SignInAttempt, password: string, passwordHash: string): Promise<string | null> {
  const isIt = await isPasswordOf(password, passwordHash);
  if (isIt === null) await attempt.withdrawn();
  if (isIt === null) return "This could not be checked just now. Try again in a few seconds.";
  return isIt ? null : NOT_YOUR_PASSWORD;
}

/** Sets a generated password for the operator to hand on, and ends all sessions and tokens of the person. Throws OperatorError. */
export async function renewPassword(database: Database, email: string) {
  const user = await findUser(database, email);
  const password = newPassword();
  const passwordHash = await hashed(password);
  const person = { userId: user.id, email: user.email };
  const revokedTokens = await transact(database, async (tx) => {
    await lockPerson(tx, user.id);
    return setPassword(tx, person, { passwordHash, isConfirmed: false, endsTokens: true, actor: COMMAND_LINE });
  });
  await forgiveAccount(database, user.email);
  return { email: user.email, password, revokedTokens };
}

interface NewPassword {
  passwordHash: string;
  /** Whether only its owner can know it; undefined keeps the previous value. */
  isConfirmed: boolean | undefined;
  keptSessionId?: string;
  /** Also revokes the person's tokens; their programs need new ones. */
  endsTokens: boolean;
  /** Defaults to the person. */
  actor?: Actor;
}

/**
 * Sets a password, ends the person's sessions except `keptSessionId`, forgets their remembered devices and voids every link to set another
 * password; returns the number of revoked tokens. Call it with the person locked.
 */
export async function setPassword(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  { passwordHash, isConfirmed, keptSessionId, endsTokens, actor = { userId, name: email } }: NewPassword,
): Promise<number> {
  await updatePassword(tx, userId, passwordHash, isConfirmed);
  await deleteSessionsOf(tx, userId, keptSessionId);
  await deleteDevices(tx, userId);
  await deleteResetsOf(tx, userId);
  const revoked = endsTokens ? await revokeAllOf(tx, userId) : 0;
  const difference = revoked === 0 ? null : [{ type: "REMOVE", path: ["tokens"], oldValue: "all" }];
  await recordAboutPerson(tx, userId, { actor, action: "change_password", subjectKey: email, difference });
  return revoked;
}

/**
 * Deletes a password that others may know, with the sessions, links, tokens and second factor obtained by it. Only for people who can sign
 * in by a provider: they lose no access. The person must be locked.
 */
export async function endImpostors(tx: Transaction, { userId, email }: { userId: string; email: string }): Promise<void> {
  if (!(await dropUnconfirmedPassword(tx, userId))) return;
  await deleteSessionsOf(tx, userId);
  // A second factor belongs to the password: a person who knew the password set it up, and it is not required without one.
  await deleteDevices(tx, userId);
  await deleteFactor(tx, userId);
  await deleteResetsOf(tx, userId);
  await revokeAllOf(tx, userId);
  const actor = { userId, name: email };
  await recordAboutPerson(tx, userId, { actor, action: "drop_password", subjectKey: email, difference: null });
}
