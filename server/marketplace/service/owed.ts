import type { Sql } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { playerKey } from "../../players/identity.ts";
import { selectLastOwed } from "../store/history.ts";

/** The last items that a player came to be owed, with when that was (real time, epoch milliseconds); `limit` at most, none for a stranger. */
export const owedToPlayer = (
  sql: Sql,
  { id }: Pick<Environment, "id">,
  externalId: string,
  limit: number,
): Promise<{ id: string; createdAt: number }[]> => selectLastOwed(sql, playerKey(id, externalId), limit);
