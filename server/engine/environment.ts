import type { Sql } from "../../db/client.ts";
import { selectNow } from "../../db/clock.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { selectEnvironment } from "./store/environments.ts";

/** The environment as the database has it now; null without one. It does not change while the environment's lock is held. */
export const loadEnvironment = (sql: Sql, environmentId: number): Promise<Environment | null> => selectEnvironment(sql, environmentId);

/** The present on an environment's clock, epoch milliseconds. */
export const environmentNow = async (sql: Sql, environment: Environment): Promise<number> =>
  (await selectNow(sql)) + environment.clockOffsetMs;
