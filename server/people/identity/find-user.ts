import type { Database } from "#db/client.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { plainEmail } from "../../model/identity/emails.ts";
import { selectUserByEmail } from "./store/users.ts";

/** The person with that address. Throws OperatorError if unknown. */
export async function findUser({ sql }: Database, email: string): Promise<{ id: string; email: string }> {
  const user = await selectUserByEmail(sql, plainEmail(email));
  if (user === null) throw new OperatorError(`There is no user ${plainEmail(email)}.`);
  return user;
}
