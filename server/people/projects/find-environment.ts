import type { Database } from "#db/client.ts";
import type { Environment, EnvironmentKind } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { selectEnvironmentsOf } from "../../engine/store/environments.ts";

/** An environment by its project's slug, archived or not. Throws OperatorError. */
export async function findEnvironment({ sql }: Database, projectSlug: string, kind: EnvironmentKind): Promise<Environment> {
  const environments = await selectEnvironmentsOf(sql, projectSlug);
  const found = environments.find((environment) => environment.kind === kind);
  if (!found) throw new OperatorError(`There is no project "${projectSlug}".`);
  return found;
}
