import type { Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { type HeldBoard, heldLine } from "./boards.ts";

interface Fault {
  key: string;
  externalId: string;
  team: string;
  score: string | null;
  value: string | null;
}

/** In the current period, an attribute board open to all players has each player's present value, on a team board for their present team. */
export async function checkHeld(tx: Transaction, environment: Environment, held: readonly HeldBoard[]): Promise<string[]> {
  const asked = held.flatMap(({ board, periodId, endsAt }) => {
    const { id, key, definitionId, teamAttributeId, rankOrder, audience } = board;
    if (audience.rule !== null) return [];
    return [{ id, key, definitionId, teamAttributeId, sign: rankOrder === "HighestFirst" ? -1 : 1, periodId, endsAt }];
  });
  if (asked.length === 0) return [];
  const rows = await tx<Fault[]>`
    with boards as materialized (
      select b.id, b.key, b."definitionId", b."teamAttributeId", b.sign, b."periodId" as period_id, to_timestamp(b."endsAt" / 1000) as ends_at
      from json_to_recordset(${writeJson(asked)}::text::json)
        as b("id" int, "key" text, "definitionId" int, "teamAttributeId" int, "sign" int, "periodId" int, "endsAt" float8)
    ), players_of as materialized (
      -- Not checked: players with a value from after the end of the period, or with too long a team name.
      select b.period_id, p.part, p.player_id, a.value::text::numeric as value, coalesce(t.value #>> '{}', '') as team,
        b."teamAttributeId" is null or t.value is not null as is_ranked
      from boards b join players p on p.environment_id = ${environment.id}
      join attribute_values a on a.part = p.part and a.player_id = p.player_id and a.attribute_id = b."definitionId"
      left join attribute_values t on t.part = p.part and t.player_id = p.player_id and t.attribute_id = b."teamAttributeId"
      where (b.ends_at is null or a.occurred_at < b.ends_at) and (t.value is null or char_length(t.value #>> '{}') <= 200)
    ), held as (
      select period_id, part, player_id, team, value from players_of where is_ranked
    ), scored as (
      select b.period_id, s.part, s.player_id, '' as team, b.sign * s.sort_score as score
      from boards b join leaderboard_scores s on s.period_id in (b.period_id, -b.period_id) where b."teamAttributeId" is null
      union all
      select b.period_id, c.part, c.player_id, c.team_key, c.score
      from boards b join leaderboard_contributions c on c.period_id in (b.period_id, -b.period_id) where b."teamAttributeId" is not null
    ), judged as (
      select s.* from scored s join boards b on b.period_id = s.period_id
      where exists (select from players_of p where p.period_id = s.period_id and p.part = s.part and p.player_id = s.player_id)
        or not exists (
          select from attribute_values a where a.part = s.part and a.player_id = s.player_id and a.attribute_id = b."definitionId")
    )
    select b.key, p.external_id, f.team, f.score::text as score, f.value::text as value
    from (select * from held full join judged using (period_id, part, player_id, team)) f
    join boards b on b.period_id = f.period_id join players p on p.part = f.part and p.player_id = f.player_id
    where f.value is distinct from f.score order by b.id, p.external_id, f.team`;
  return rows.map(({ key, externalId, team, score, value }) => heldLine(externalId, key, team, score, value));
}
