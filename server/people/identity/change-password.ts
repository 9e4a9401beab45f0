import { type Database, transact } from "#db/client.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { waitInWords } from "../../model/identity/attempts.ts";
import { beginSignIn } from "./count-attempts.ts";
import { BUSY, hashedInTurn, isPasswordOf } from "./hash-password.ts";
import { passwordProblem } from "../../model/identity/passwords.ts";
import { setPassword } from "./set-password.ts";
import { lockPerson, selectUser } from "./store/users.ts";

/**
 * Changes a person's own password and ends their other sessions, and on request their tokens; returns problems by field. Checking the
 * current password counts as a sign-in attempt, so that it cannot be guessed from an unattended browser.
 */
export async function changePassword(
  database: Database,
  person: { userId: string; sessionId: string; email: string },
  { current, next, endsTokens = false }: { current: string; next: string; endsTokens?: boolean },
): Promise<FieldProblem[]> {
  const wrong = passwordProblem(next, person.email);
  if (wrong !== null) return [{ pointer: "#/next", message: wrong }];
  const user = await selectUser(database.sql, person.userId);
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
  const passwordHash = await hashedInTurn(next);
  if (passwordHash === null) return [{ pointer: "#/next", message: BUSY }];
  const isChanged = await transact(database, async (tx) => {
    await lockPerson(tx, person.userId);
    // A reset link has set another password meanwhile, so the given one is outdated.
    if ((await selectUser(tx, person.userId))?.passwordHash !== before) return false;
    // A person without a password signed in by a provider, which confirms their identity.
    const isConfirmed = before === null ? true : undefined;
    await setPassword(tx, person, { passwordHash, isConfirmed, keptSessionId: person.sessionId, endsTokens });
    return true;
  });
  return isChanged ? [] : NOT_YOURS;
}

const NOT_YOURS = [{ pointer: "#/current", message: "That is not your password." }];
