import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { formatBound, formatInstant } from "../../model/kernel/time.ts";
import { leaderboardsDashboard, type PeriodSeen, type StandingSeen } from "../../game/leaderboards/contract.dashboard.ts";
import { groupOf } from "../../model/leaderboards/leagues.ts";
import { periodState, settleRefusal } from "../../model/leaderboards/period-state.ts";
import { type RankOrder, sortScore } from "../../model/leaderboards/scores.ts";
import {
  type KeptPeriod,
  listGroup,
  listPeriods,
  listStandings,
  type PageRow,
  type RowCursor,
} from "../../game/leaderboards/service/periods-seen.ts";

const dashboard = implement(leaderboardsDashboard).$context<DashboardContext>().use(guard);

export const leaderboardsDashboardProcedures = {
  periods: dashboard.periods.handler(async ({ input: { key, cursor, limit }, context: { database, environment, now } }) => {
    const { board, periods, next } = await listPeriods(database, environment, key, cursor, limit);
    const facts = { isLive: environment.kind === "live", isActive: board.active };
    return {
      ranks: board.teamAttributeId === null ? ("Players" as const) : ("Teams" as const),
      tiers: board.league?.tiers.map((tier) => ({ key: tier.key, name: pickText(tier.name, null) })) ?? null,
      periods: periods.map((period) => seenPeriod(period, board.league?.groupSize ?? null, facts, now)),
      next,
    };
  }),

  standings: dashboard.standings.handler(async ({ input, context: { database, environment } }) => {
    const { key, start, around, limit } = input;
    const after = cursorOf(input.cursor);
    if (hasBadText(around ?? "") || hasBadText(start)) return { rows: [], next: null };
    const { board, rows, hasMore } = await listStandings(database, environment, { key, start, after, around, limit });
    const last = rows.at(-1);
    return {
      rows: rows.map((row) => seenRow(row, board.rankOrder)),
      next: hasMore && last !== undefined ? `${last.sortScore} ${last.reachedSeq} ${last.playerId}` : null,
    };
  }),

  group: dashboard.group.handler(async ({ input, context: { database, environment } }) => {
    if (hasBadText(input.start)) return { rows: [] };
    const { board, rows } = await listGroup(database, environment, input);
    return { rows: rows.map((row) => seenRow(row, board.rankOrder)) };
  }),
};

const CURSOR = /^(-?\d{1,60}(?:\.\d{1,20})?) (\d{1,18}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function cursorOf(cursor: string | null): RowCursor | null {
  if (cursor === null) return null;
  const [, score, reachedSeq, playerId] = CURSOR.exec(cursor) ?? [];
  if (score === undefined || reachedSeq === undefined || playerId === undefined)
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return { sortScore: score, reachedSeq: Number(reachedSeq), playerId };
}

const shown = (instant: number | null): string | null => (instant === null ? null : formatBound(instant));

const seenPeriod = (
  period: KeptPeriod,
  groupSize: number | null,
  facts: { isLive: boolean; isActive: boolean },
  now: number,
): PeriodSeen => ({
  start: period.start,
  startsAt: shown(period.startsAt),
  endsAt: shown(period.endsAt),
  settlesAt: shown(period.settlesAt),
  settledAt: period.settledAt === null ? null : formatInstant(period.settledAt),
  state: periodState(period, now),
  participants: period.participants,
  groups: groupSize === null ? [] : period.seats.map((seats) => (seats === 0 ? 0 : groupOf(seats - 1, groupSize) + 1)),
  settleRefusal: settleRefusal(period, facts),
});

const seenRow = (
  { playerId, externalId, displayName, team, members, rank, tier, groupNumber, outcome, ...row }: PageRow,
  order: RankOrder,
): StandingSeen => ({
  id: playerId,
  rank,
  score: writeJson(sortScore(row.sortScore, order)),
  player: externalId === null ? null : { externalId, displayName },
  team: team === null ? null : { name: team, members: members ?? 0 },
  seat: tier === null || groupNumber === null ? null : { tier, group: groupNumber, outcome },
});
