import { type Database, transact } from "#db/client.ts";
import { COMMAND_LINE } from "../../model/kernel/roles.ts";
import { forgiveAccount } from "./count-attempts.ts";
import { findUser } from "./find-user.ts";
import { hashed, newPassword } from "./hash-password.ts";
import { setPassword } from "./set-password.ts";
import { lockPerson } from "./store/users.ts";

/** Sets a generated password for the operator to hand on, and ends all sessions and tokens of the person. Throws OperatorError. */
export async function renewPassword(
  database: Database,
  email: string,
): Promise<{ email: string; password: string; revokedTokens: number }> {
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
