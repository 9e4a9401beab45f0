import type { Sql, Transaction } from "#db/client.ts";
import { ofParts } from "#db/scale/parts.ts";
import type { CompletionEffect } from "../../model/rules/effects.ts";
import { arrayText } from "../../model/kernel/stored.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { PlayerKey } from "../../model/players/identity.ts";
import type { Reward } from "../../model/rules/reward.ts";
import { type DistinctValue, distinctValueName } from "../../model/missions/distinct.ts";
import type { CompletedOccurrence } from "../../model/missions/rows.ts";
import { decodeObjectives } from "../../model/missions/state.ts";

/**
 * A stored state partition of a player (`state.ts`). It is decoded late and encoded early, so that a slice does not hold the states of
 * players it is done with.
 */
export interface StoredPartition {
  partitionId: number;
  state: string;
}

/** The stored state of each of some partitions, in the order of the keys; undefined if a player has none. */
export async function loadPartitions(sql: Sql, { parts, playerIds, partitionIds }: PartitionKeys): Promise<(string | undefined)[]> {
  if (parts.length === 0) return [];
  // One row for all: a state holds no line break. The driver spends as much on the columns of a row as on reading the state. The places are
  // an array: with `generate_series` up to a parameter the statement is planned on each call, which takes ten times as long as running it.
  const [row] = await sql<{ places: string | null; states: string | null }[]>`
    select string_agg(w.place::text, ',') as places, string_agg(s.state, chr(10)) as states
    from (select unnest(${arrayText(parts)}::text::smallint[]) as part, unnest(${arrayText(playerIds)}::text::uuid[]) as player_id,
      unnest(${arrayText(partitionIds)}::text::int[]) as topic_id, unnest(${arrayText([...parts.keys()])}::text::int[]) as place) w
    join mission_states s on s.part = w.part and s.player_id = w.player_id and s.topic_id = w.topic_id ${ofParts(sql, "s", parts)}`;
  const found = Array<string | undefined>(parts.length).fill(undefined);
  if (row === undefined || row.places === null || row.states === null) return found;
  const states = row.states.split("\n");
  for (const [index, place] of row.places.split(",").entries()) found[Number(place)] = states[index];
  return found;
}

/** The keys of state partitions, a column each. */
export interface PartitionKeys {
  parts: number[];
  playerIds: string[];
  partitionIds: number[];
}

/** State partitions to write, also in columns: one object each would outlive the fold that made it. */
export interface PartitionColumns extends PartitionKeys {
  states: string[];
}

export const noPartitions = (): PartitionColumns => ({ parts: [], playerIds: [], partitionIds: [], states: [] });

/** All state partitions of some players. */
export function loadAllPartitionsOf(sql: Sql, players: readonly PlayerKey[]): Promise<(PlayerKey & StoredPartition)[]> {
  return sql<(PlayerKey & StoredPartition)[]>`
    select s.part, s.player_id, s.topic_id as partition_id, s.state
    from json_to_recordset(${writeJson(players.map(({ part, playerId }) => ({ part, playerId })))}::text::json) as k("part" smallint, "playerId" uuid)
    join mission_states s on s.part = k.part and s.player_id = k."playerId" ${ofParts(sql, "s", players)}`.execute();
}

/** Writes partitions that have a row already, and those that do not have one yet. */
export async function savePartitions(tx: Transaction, known: PartitionColumns, fresh: PartitionColumns): Promise<void> {
  await Promise.all([
    known.parts.length === 0
      ? null
      : tx`update mission_states s set state = r.state from ${columns(tx, known)}
           where s.part = r.part and s.player_id = r.player_id and s.topic_id = r.topic_id ${ofParts(tx, "s", known.parts)}`.execute(),
    fresh.parts.length === 0
      ? null
      : tx`insert into mission_states (part, player_id, topic_id, state)
           select r.part, r.player_id, r.topic_id, r.state from ${columns(tx, fresh)}`.execute(),
  ]);
}

const columns = (tx: Transaction, { parts, playerIds, partitionIds, states }: PartitionColumns) => tx`(
  select unnest(${arrayText(parts)}::text::smallint[]) as part, unnest(${arrayText(playerIds)}::text::uuid[]) as player_id,
    unnest(${arrayText(partitionIds)}::text::int[]) as topic_id, string_to_table(${states.join("\n")}::text, chr(10)) as state) r`;

/** Inserts completed occurrences; existing ones stay unchanged. `epoch` is the analytics epoch of all of the players, null if unknown. */
export async function saveCompletions(
  tx: Transaction,
  rows: readonly (PlayerKey & { environmentId: number } & CompletionEffect)[],
  epoch: number | null,
): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    select analytics_add_completions(array_agg(environment_id), array_agg(part), array_agg(player_id), ${epoch}::int, array_agg(mission_id),
      array_agg(accepted_at), array_agg(completed_at), array_agg(rewards))
    from complete_missions(${writeJson(rows)}::text::json) having count(*) > 0`;
}

/** The completed occurrences of a player, newest first. */
export async function loadCompletions(sql: Sql, { part, playerId }: PlayerKey): Promise<CompletedOccurrence[]> {
  const rows = await sql<(Omit<CompletedOccurrence, "objectives" | "rewards"> & { objectives: unknown; rewards: Reward[] })[]>`
    select mission_id, occurrence_number, started_at, accepted_at, completed_at, objectives, rewards
    from mission_completions where part = ${part} and player_id = ${playerId}
    order by completed_at desc, mission_id desc, occurrence_number desc`;
  return rows.map((row) => ({ ...row, objectives: decodeObjectives(row.objectives) }));
}

export type ListedCompletion = Omit<CompletedOccurrence, "acceptedAt" | "objectives"> & { occurrenceId: string };

/** A cursor in the list of a player's completed occurrences. */
export type CompletionCursor = Pick<ListedCompletion, "completedAt" | "occurrenceId">;

/** The completed occurrences of a player below a cursor, newest first. A player's rows are one range of the primary key. */
export const selectCompletionsBelow = (
  sql: Sql,
  { part, playerId }: PlayerKey,
  below: CompletionCursor | null,
  limit: number,
): Promise<ListedCompletion[]> =>
  sql<ListedCompletion[]>`
    select occurrence_id, mission_id, occurrence_number, rewards, started_at, completed_at
    from mission_completions where part = ${part} and player_id = ${playerId}
      ${below === null ? sql`` : sql`and (completed_at, occurrence_id) < (${below.completedAt}, ${below.occurrenceId}::uuid)`}
    order by completed_at desc, occurrence_id desc limit ${limit}::int`.execute();

/** The missions of completed occurrences of a player, by occurrence id. */
export async function missionsOfCompletions(
  sql: Sql,
  { part, playerId }: PlayerKey,
  occurrenceIds: readonly string[],
): Promise<Map<string, number>> {
  if (occurrenceIds.length === 0) return new Map();
  const rows = await sql<{ occurrenceId: string; missionId: number }[]>`
    select occurrence_id, mission_id from mission_completions
    where part = ${part} and player_id = ${playerId} and occurrence_id = any(${occurrenceIds as string[]}::uuid[])`;
  return new Map(rows.map(({ occurrenceId, missionId }) => [occurrenceId, missionId]));
}

/** The names of the distinct values that were seen before. */
export async function loadDistinctValues(sql: Sql, distinctValues: readonly (PlayerKey & DistinctValue)[]): Promise<Set<string>> {
  if (distinctValues.length === 0) return new Set();
  const rows = await sql<DistinctValue[]>`
    select v.occurrence_id, v.criterion, v.value
    from json_to_recordset(${writeJson(distinctValues)}::text::json)
      as s("part" smallint, "playerId" uuid, "occurrenceId" uuid, "criterion" smallint, "value" uuid)
    join mission_distinct_values v on v.part = s.part and v.player_id = s."playerId"
      and v.occurrence_id = s."occurrenceId" and v.criterion = s.criterion and v.value = s.value ${ofParts(sql, "v", distinctValues)}`;
  return new Set(rows.map(distinctValueName));
}

export async function saveDistinctValues(tx: Transaction, distinctValues: readonly (PlayerKey & DistinctValue)[]): Promise<void> {
  if (distinctValues.length === 0) return;
  await tx`
    insert into mission_distinct_values (part, player_id, occurrence_id, criterion, value)
    select part, "playerId", "occurrenceId", criterion, value
    from json_to_recordset(${writeJson(distinctValues)}::text::json)
      as s("part" smallint, "playerId" uuid, "occurrenceId" uuid, "criterion" smallint, "value" uuid)
    on conflict do nothing`;
}
