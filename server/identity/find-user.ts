import type { Database } from "../../db/client.ts";
import { Refused } from "../kernel/refused.ts";
import { plainEmail } from "./emails.ts";
import { selectUserByEmail } from "./store/users.ts";

/** The person with that address. Throws Refused where there is none. */
export async function findUser({ sql }: Database, email: string): Promise<{ id: string; email: string }> {
  const user = await selectUserByEmail(sql, plainEmail(email));
  if (user === null) throw new Refused(`There is no user ${plainEmail(email)}.`);
  return user;
}
