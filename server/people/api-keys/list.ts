import type { Sql } from "#db/client.ts";
import { type ApiKeyRow, selectKeys } from "./store.ts";

/** The keys of an environment without their secrets, newest first, including revoked ones. */
export const listKeys = (sql: Sql, environmentId: number): Promise<ApiKeyRow[]> => selectKeys(sql, environmentId);
