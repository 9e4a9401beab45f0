import type { Sql } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { playerKey } from "../../players/identity.ts";
import { runIdOf } from "../advance.ts";
import { selectPaid } from "../store.ts";

/** The last milestones that a player has reached, by their runs; `limit` at most, none for a stranger. */
export async function milestonesOf(
  sql: Sql,
  { id }: Pick<Environment, "id">,
  externalId: string,
  limit: number,
): Promise<{ runId: string; milestone: number }[]> {
  const key = playerKey(id, externalId);
  const paid = await selectPaid(sql, key, limit);
  return paid.map(({ streakId, origin, milestone }) => ({ runId: runIdOf(key, { id: streakId }, { origin }), milestone }));
}
