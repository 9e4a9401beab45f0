import { execute, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { FIRST_UUID } from "#server/model/kernel/stored.ts";
import type { PlayerKey } from "#server/model/players/identity.ts";

/** Adds members found by the running count, unless they were deleted meanwhile; the caller holds the environment's players. */
export async function addMembers(tx: Transaction, segmentId: number, generation: number, members: readonly PlayerKey[]): Promise<void> {
  if (members.length === 0) return;
  const keys = members.map(({ part, playerId }) => ({ part, playerId }));
  await tx`
    insert into segment_members (segment_id, generation, part, player_id)
    select ${segmentId}::int, ${generation}::int, part, "playerId"
    from json_to_recordset(${writeJson(keys)}::text::json) as m("part" smallint, "playerId" uuid)
    join players p using (part) where p.player_id = m."playerId"
    on conflict do nothing`;
}

/** Deletes up to `limit` members of other generations, and returns their number. */
export const deleteLeftovers = (tx: Transaction, segmentId: number, kept: readonly number[], limit: number) =>
  onlyValue(tx<{ count: number }[]>`
    with old as materialized (
      select generation, part, player_id from segment_members
      where segment_id = ${segmentId} and generation <> all(${[...kept]}::int[]) limit ${limit}::int
    ), gone as (
      delete from segment_members m using old
      where m.segment_id = ${segmentId} and m.generation = old.generation and m.part = old.part and m.player_id = old.player_id returning 1
    )
    select count(*) from gone`);

/** A member as a row of a list. */
export interface SegmentMemberRow extends PlayerKey {
  externalId: string;
  displayName: string | null;
  balance: number;
}

/**
 * A page of the members of a generation, in key order. The page is selected before the join: otherwise the planner, which expects the join
 * to find few rows, reads all members (a quarter of a second for ten thousand).
 */
export const selectSegmentMembers = (
  sql: Sql,
  { segmentId, generation }: { segmentId: number; generation: number },
  after: PlayerKey | null,
  limit: number,
): Promise<SegmentMemberRow[]> =>
  sql.unsafe<SegmentMemberRow[]>(
    `with page as materialized (
       select part, player_id from segment_members
       where segment_id = $1 and generation = $2 and (part, player_id) > ($3::smallint, $4::uuid)
       order by part, player_id limit $5::int
     )
     select p.part, p.player_id, p.external_id, p.display_name, coalesce(b.balance, 0) as balance
     from page m
     join players p on p.part = m.part and p.player_id = m.player_id
     left join balances b on b.part = p.part and b.player_id = p.player_id
     order by m.part, m.player_id`,
    [segmentId, generation, after?.part ?? -1, after?.playerId ?? FIRST_UUID, limit],
  );

/** Deletes the counts and members of an environment whose players were deleted. */
export const deleteCounts = (tx: Transaction, environmentId: number) =>
  execute(tx`
    with gone as (delete from segment_counts where environment_id = ${environmentId} returning segment_id)
    delete from segment_members m using gone where m.segment_id = gone.segment_id`);
