import type { Database } from "../../../db/client.ts";
import { everyMinute } from "../../kernel/every-minute.ts";
import type { KindRunner } from "../../kernel/runner.ts";
import { removeData } from "./remove-data.ts";

interface RemovalOptions {
  database: Database;
  logger: { warn(fields: object, message: string): void };
}

/** Removes test projects now and once a minute. */
export const startRemoval = ({ database, logger }: RemovalOptions): KindRunner =>
  everyMinute({ work: (isStopping) => removeData(database, isStopping), failure: "test projects could not be removed", logger });
