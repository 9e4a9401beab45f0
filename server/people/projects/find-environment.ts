import type { Database, Sql } from "#db/client.ts";
import { selectNow } from "#db/clock.ts";
import type { Environment, EnvironmentKind } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import * as store from "./store.ts";

/** The environment as the database has it now; null without one. It does not change while the environment's lock is held. */
export const loadEnvironment = (sql: Sql, environmentId: number): Promise<Environment | null> =>
  store.selectEnvironment(sql, environmentId);

/** An environment by its project's slug, archived or not. Throws OperatorError. */
export async function findEnvironment({ sql }: Database, projectSlug: string, kind: EnvironmentKind): Promise<Environment> {
  const environments = await store.selectEnvironmentsOf(sql, projectSlug);
  const found = environments.find((environment) => environment.kind === kind);
  if (!found) throw new OperatorError(`There is no project "${projectSlug}".`);
  return found;
}

/** The present on an environment's clock, epoch milliseconds. */
export const environmentNow = async (sql: Sql, environment: Environment): Promise<number> =>
  (await selectNow(sql)) + environment.clockOffsetMs;
