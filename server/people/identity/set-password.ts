import type { Transaction } from "#db/client.ts";
import type { Actor } from "../../model/kernel/roles.ts";
import { revokeAllOf } from "../tokens/revoke.ts";
import { recordAboutPerson } from "./record-member-change.ts";
import { deleteResetsOf } from "./store/resets.ts";
import { deleteSessionsOf } from "./store/sessions.ts";
import { updatePassword } from "./store/users.ts";

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
 * Sets a password, ends the sessions of the previous one and voids every link to set another; returns the number of ended tokens. Call it
 * with the person locked.
 */
export async function setPassword(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  { passwordHash, isConfirmed, keptSessionId, endsTokens, actor = { userId, name: email } }: NewPassword,
): Promise<number> {
  await updatePassword(tx, userId, passwordHash, isConfirmed);
  await deleteSessionsOf(tx, userId, keptSessionId);
  await deleteResetsOf(tx, userId);
  const revoked = endsTokens ? await revokeAllOf(tx, userId) : 0;
  const difference = revoked === 0 ? null : [{ type: "REMOVE", path: ["tokens"], oldValue: "all" }];
  await recordAboutPerson(tx, userId, { actor, action: "change_password", subjectKey: email, difference });
  return revoked;
}
