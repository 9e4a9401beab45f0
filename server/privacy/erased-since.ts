import type { Sql } from "../../db/client.ts";
import { playerKey } from "../players/identity.ts";
import { selectErasedSince } from "./store/erasures.ts";

/** Those of some external ids whose players were erased since an instant (epoch milliseconds, the environment's clock). */
export async function erasedSince(sql: Sql, environmentId: number, since: number, externalIds: readonly string[]): Promise<Set<string>> {
  const keys = externalIds.map((externalId) => playerKey(environmentId, externalId));
  const erased = new Set((await selectErasedSince(sql, since, keys)).map(({ playerId }) => playerId));
  return new Set(externalIds.filter((_, at) => erased.has(keys[at]!.playerId)));
}
