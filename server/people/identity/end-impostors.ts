import type { Transaction } from "#db/client.ts";
import { recordAboutPerson } from "./record-member-change.ts";
import { deleteResetsOf } from "./store/resets.ts";
import { deleteSessionsOf } from "./store/sessions.ts";
import { dropUnconfirmedPassword } from "./store/users.ts";
import { revokeAllOf } from "../tokens/revoke.ts";

/**
 * Deletes a password that others may know, with the sessions, links and tokens obtained by it. Only for people who can sign in by a
 * provider: they lose no access. The person must be locked.
 */
export async function endImpostors(tx: Transaction, { userId, email }: { userId: string; email: string }): Promise<void> {
  if (!(await dropUnconfirmedPassword(tx, userId))) return;
  await deleteSessionsOf(tx, userId);
  await deleteResetsOf(tx, userId);
  await revokeAllOf(tx, userId);
  const actor = { userId, name: email };
  await recordAboutPerson(tx, userId, { actor, action: "drop_password", subjectKey: email, difference: null });
}
