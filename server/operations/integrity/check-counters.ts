import type { Transaction } from "#db/client.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { wholePlayer } from "../../engine/apply.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import type { Player } from "../../model/kernel/player.ts";
import { miscounts } from "../../model/missions/recount.ts";
import { loadAllPartitionsOf, type StoredPartition } from "../../engine/store/missions.ts";
import { playerPages } from "../../game/players/store.ts";
import { logWholeFrom } from "./boards.ts";
import { checkStreaks } from "./check-streaks.ts";
import { definitionsOf, editInstants } from "../../engine/definitions.ts";
import { appliedByPlayer } from "../../engine/store/applied.ts";
import type { PlayerRow } from "../../engine/store/players.ts";

const PAGE = 500;

/** The counters of active occurrences equal those computed from the log's events, and runs of streaks those from their periods. */
export async function checkCounters(tx: Transaction, environment: Environment): Promise<string[]> {
  const definitions = await definitionsOf(tx, environment);
  const edited = await editInstants(tx, environment.id, "missions");
  const wholeFrom = await logWholeFrom(tx, environment.id);
  const editedStreaks = await editInstants(tx, environment.id, "streaks");
  const found: string[] = [];
  for await (const page of playerPages(tx, environment.id, PAGE)) {
    found.push(...(await miscountsOf(tx, environment, definitions, (missionId) => Math.max(edited.get(missionId) ?? 0, wholeFrom), page)));
    found.push(...(await checkStreaks(tx, definitions, editedStreaks, page)));
  }
  return found;
}

async function miscountsOf(
  tx: Transaction,
  environment: Environment,
  definitions: Definitions,
  /** The instant from which the log covers the occurrences of a mission. */
  loggedFrom: (missionId: number) => number,
  page: readonly PlayerRow[],
) {
  const partitions = Map.groupBy(await loadAllPartitionsOf(tx, page), ({ playerId }) => playerId);
  const entered = page.filter(({ playerId }) => partitions.has(playerId));
  const found: string[] = [];
  for await (const [row, facts] of appliedByPlayer(tx, entered, null)) {
    const player = readPlayer(environment.id, row, partitions.get(row.playerId) ?? []);
    if (player === null) {
      found.push(`player "${row.externalId}": a state in mission_states cannot be read`);
      continue;
    }
    for (const { missionKey, occurrenceNumber, stored, recounted } of miscounts(player, definitions, ({ id }) => loggedFrom(id), facts))
      found.push(
        `player "${row.externalId}", mission ${missionKey}, occurrence ${occurrenceNumber}: counters ${stored}, but the events give ${recounted}`,
      );
  }
  return found;
}

/** Null if the state of the missions cannot be read. */
function readPlayer(environmentId: number, row: PlayerRow, partitions: readonly StoredPartition[]): Player | null {
  try {
    return wholePlayer(environmentId, { row, partitions, attributes: new Map(), balance: 0 });
  } catch {
    return null;
  }
}
