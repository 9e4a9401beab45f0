import type { Database } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { enterAll } from "#server/game/missions/service/read.ts";
import { playersAmong, savePlayerAsRead } from "#server/game/players/service/players.ts";
import { judge } from "#server/game/segments/service/judge.ts";
import type { DueImport } from "../store/imports.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { playerKey } from "#server/model/players/identity.ts";

/**
 * Enters players into the missions open to them, as the import says: none, those in a segment now, or all. Players already in a mission are
 * not changed.
 */
export async function enterPlayers(
  database: Database,
  environment: Environment,
  now: number,
  { enters, segmentKey, notifies, isUnattended }: Pick<DueImport, "enters" | "segmentKey" | "notifies" | "isUnattended">,
  externalIds: readonly string[],
): Promise<void> {
  if (enters === "Nobody") return;
  for (const externalId of externalIds) await savePlayerAsRead(database, environment, now, externalId, {});
  const entering = enters === "Everybody" ? externalIds : await inSegment(database, environment, now, segmentKey, externalIds);
  const how = { isQuiet: !notifies, isAsRead: true, ...(isUnattended && { at: now }) };
  for (const externalId of entering) await enterAll(database, environment, now, externalId, how);
}

/** A segment that is deleted or switched off has no members. */
async function inSegment(
  { sql }: Database,
  environment: Environment,
  now: number,
  segmentKey: string | null,
  externalIds: readonly string[],
): Promise<string[]> {
  const definitions = await definitionsOf(sql, environment);
  const segment = definitions.segments.find(({ key, active }) => key === segmentKey && active);
  if (segment === undefined) return [];
  const players = await playersAmong(
    sql,
    externalIds.map((externalId) => playerKey(environment.id, externalId)),
  );
  const members = await judge(sql, environment.id, definitions, now, players, segment.rule);
  return players.filter(({ playerId }) => members.has(playerId)).map(({ externalId }) => externalId);
}
