import type { Sql } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type LastChange, selectLastChange } from "./store.ts";

/** The last entry of the audit log for a definition (by kind and key) or for a thing without a key; null without one. */
export const findLastChange = (
  sql: Sql,
  environment: Environment,
  subjectKind: string,
  subjectKey: string | null,
): Promise<LastChange | null> => selectLastChange(sql, environment, subjectKind, subjectKey);
