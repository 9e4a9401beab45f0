import type { Database } from "#db/client.ts";
import { readAttributes } from "../../attributes/service.ts";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import type { Scalar } from "#server/model/kernel/values.ts";
import { totalsOf } from "../../metrics/service.ts";
import type { MissionRow } from "#server/model/missions/rows.ts";
import { readLiveMissions } from "../../missions/service/read.ts";
import { type Balance, readBalance } from "../../points/service.ts";
import type { StreakRow } from "#server/model/streaks/rows.ts";
import { readStreaks } from "../../streaks/service/read.ts";
import { type PlayerKey, playerKey } from "#server/model/players/identity.ts";
import { lastChangeOfSubject } from "#server/people/audit-log/read.ts";
import { reasonIn } from "./timeline-sources.ts";
import { selectPlayer, type ShownPlayer } from "../store.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

/** A player for the dashboard. Instants are epoch milliseconds. */
export interface ReadPlayer extends Omit<ShownPlayer, keyof PlayerKey> {
  balance: Balance;
  attributes: Record<string, Scalar>;
  metrics: { key: string; total: Numeric }[];
  streaks: StreakRow[];
  missions: MissionRow[];
  /** Who hid them from leaderboards, and why; null if they are ranked, or if it is not in the log. */
  hiding: { actor: string; reason: string | null } | null;
}

/**
 * A player's current state; null if unknown. Read-only: missions that a read by the app would enter are left out. Each part is found by the
 * player's key.
 */
export async function readPlayer(
  database: Database,
  environment: Environment,
  now: number,
  externalId: string,
): Promise<ReadPlayer | null> {
  const { sql } = database;
  const key = playerKey(environment.id, externalId);
  const [player, definitions] = await Promise.all([selectPlayer(sql, key), definitionsOf(sql, environment)]);
  if (player === null) return null;
  const [balance, attributes, totals, streaks, missions, hidden] = await Promise.all([
    readBalance(sql, key),
    readAttributes(database, environment, externalId),
    totalsOf(sql, key),
    readStreaks(database, environment, now, { externalId, language: null }),
    readLiveMissions(database, environment, now, externalId),
    player.hiddenAt === null ? null : lastChangeOfSubject(sql, environment, "player", externalId, "hide_from_boards"),
  ]);
  const { part, playerId, ...shown } = player;
  return {
    ...shown,
    balance,
    attributes,
    streaks,
    missions,
    hiding: hidden && { actor: hidden.actor, reason: reasonIn(hidden.difference) },
    metrics: Array.from(definitions.metricsById.values()).flatMap(({ id, key: metric }) => {
      const total = totals.get(id);
      return total === undefined ? [] : [{ key: metric, total }];
    }),
  };
}
