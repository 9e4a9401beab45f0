import type { Sql } from "../../db/client.ts";
import type { Environment } from "../kernel/environment.ts";
import { type LastChange, selectLastChange } from "./store.ts";

/** Who changed something last, by the audit log: a definition by kind and key, or what has no key. Null where it says nothing. */
export const findLastChange = (
  sql: Sql,
  environment: Environment,
  subjectKind: string,
  subjectKey: string | null,
): Promise<LastChange | null> => selectLastChange(sql, environment, subjectKind, subjectKey);
