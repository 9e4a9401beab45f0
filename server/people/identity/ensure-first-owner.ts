import type { Database } from "#db/client.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { emailProblem, plainEmail } from "../../model/identity/emails.ts";
import { newPassword } from "./hash-password.ts";
import { insertPerson, type SignIn } from "./insert-person.ts";
import { hasUsers } from "./store/users.ts";

/** Creates the installation's first owner unless there is a user already; returns their credentials. Throws OperatorError. */
export async function ensureFirstOwner(database: Database, owner: { email: string; password?: string }): Promise<SignIn | null> {
  if (await hasUsers(database.sql)) return null;
  const signIn = { email: plainEmail(owner.email), password: owner.password ?? newPassword() };
  const problem = emailProblem(signIn.email);
  if (problem !== null) throw new OperatorError(problem);
  return (await insertPerson(database, signIn, "Owner", null)) ? signIn : null;
}
