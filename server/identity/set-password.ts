import type { Transaction } from "../../db/client.ts";
import type { Actor } from "../kernel/roles.ts";
import { recordAboutPerson } from "./record-member-change.ts";
import { deleteResetsOf } from "./store/resets.ts";
import { deleteSessionsOf } from "./store/sessions.ts";
import { updatePassword } from "./store/users.ts";

interface NewPassword {
  passwordHash: string;
  /** Whether only its owner can know it; left out: as with the one before. */
  isConfirmed: boolean | undefined;
  keptSessionId?: string;
  /** Themselves, if left out. */
  actor?: Actor;
}

/** Sets a password and ends what the one before has opened, and every link to set another; call it with the person held. */
export async function setPassword(
  tx: Transaction,
  { userId, email }: { userId: string; email: string },
  { passwordHash, isConfirmed, keptSessionId, actor = { userId, name: email } }: NewPassword,
): Promise<void> {
  await updatePassword(tx, userId, passwordHash, isConfirmed);
  await deleteSessionsOf(tx, userId, keptSessionId);
  await deleteResetsOf(tx, userId);
  await recordAboutPerson(tx, userId, { actor, action: "change_password", subjectKey: email, difference: null });
}
