import type { Database } from "#db/client.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { Role } from "../../model/kernel/roles.ts";
import { listProjects } from "../projects/list.ts";
import { emailProblem, plainEmail } from "../../model/identity/emails.ts";
import { newPassword } from "./hash-password.ts";
import { insertPerson, type SignIn } from "./insert-person.ts";

/** Creates a person with a role in a project, or else in the organization; returns the generated password. Throws OperatorError. */
export async function createUser(database: Database, person: { email: string; role: Role; projectSlug?: string }): Promise<SignIn> {
  const signIn = { email: plainEmail(person.email), password: newPassword() };
  const problems = [emailProblem(signIn.email)].filter((problem) => problem !== null);
  const project = person.projectSlug === undefined ? null : (await listProjects(database)).find(({ slug }) => slug === person.projectSlug);
  if (project === undefined) problems.push(`There is no project "${person.projectSlug}".`);
  if (problems.length > 0) throw new OperatorError(...problems);
  const scope = project ? { organizationId: project.organizationId, projectId: project.id } : null;
  if (!(await insertPerson(database, signIn, person.role, scope))) throw new OperatorError(`There is already a user ${signIn.email}.`);
  return signIn;
}
