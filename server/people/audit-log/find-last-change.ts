import type { Sql } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type LastChange, selectLastChange } from "./store.ts";

/** The last audit entry for a definition (by kind and key) or for a subject without a key; null if there is none. */
export const findLastChange = (
  sql: Sql,
  environment: Environment,
  subjectKind: string,
  subjectKey: string | null,
): Promise<LastChange | null> => selectLastChange(sql, environment, subjectKind, subjectKey);
