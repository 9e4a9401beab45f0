import type { Sql } from "#db/client.ts";
import { type ApiKeyRow, selectKeys } from "./store.ts";

/** The keys of an environment as they may be shown, the newest first, revoked ones too. */
export const listKeys = (sql: Sql, environmentId: number): Promise<ApiKeyRow[]> => selectKeys(sql, environmentId);
