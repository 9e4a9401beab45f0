import type { Transaction } from "#db/client.ts";
import { recordAboutPerson } from "./record-member-change.ts";
import { deleteResetsOf } from "./store/resets.ts";
import { deleteSessionsOf } from "./store/sessions.ts";
import { dropUnconfirmedPassword } from "./store/users.ts";
import { revokeAllOf } from "../tokens/revoke.ts";

/**
 * Takes a password away that others than its owner may know, with the sessions, links and tokens that were had by it. For people whom a
 * provider vouches for: they lose nothing by it. The person must be locked.
 */
export async function endImpostors(tx: Transaction, { userId, email }: { userId: string; email: string }): Promise<void> {
  if (!(await dropUnconfirmedPassword(tx, userId))) return;
  await deleteSessionsOf(tx, userId);
  await deleteResetsOf(tx, userId);
  await revokeAllOf(tx, userId);
  const actor = { userId, name: email };
  await recordAboutPerson(tx, userId, { actor, action: "drop_password", subjectKey: email, difference: null });
}
