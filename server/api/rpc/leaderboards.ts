import { instantOrNull, partsOf, startOf } from "./inputs.ts";
import { hasBadText, writeJson } from "../../model/kernel/json.ts";
import { pickText } from "../../model/kernel/texts.ts";
import { UUID } from "../../model/kernel/stored.ts";
import { boundOrNull } from "../../model/kernel/time.ts";
import { groupOfSeat } from "../../model/leaderboards/ranking.ts";
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
import { z } from "zod";
import { cursor, inEnvironment, MAX_KEY_LENGTH, MAX_ID_LENGTH } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";

const key = z.string().min(1).max(MAX_KEY_LENGTH);

/** A period, by the local date of its first day; "" for a board with a single period. */
const start = z.string().max(10);
const oneBoard = inEnvironment.extend({ key });

export const leaderboardsDashboardProcedures = {
  /** The periods of a board, newest first. `next` is the cursor of the next page. */
  periods: forEnvironment("Viewer", "cheap")(
    oneBoard.extend({ cursor, limit: z.int().min(1).max(100).default(50) }),
    async ({ key, cursor, limit }, { database, environment, now }) => {
      const { board, periods, next } = await listPeriods(database, environment, key, startOf(cursor), limit);
      const facts = { isLive: environment.kind === "live", isActive: board.active };
      return {
        ranks: board.teamAttributeId === null ? ("Players" as const) : ("Teams" as const),
        tiers: board.league?.tiers.map((tier) => ({ key: tier.key, name: pickText(tier.name, null) })) ?? null,
        /** What moves players between tiers; null without a league. */
        league: board.league && {
          groupSize: board.league.groupSize,
          promotes: board.league.promotes,
          relegates: board.league.relegates,
          tiers: board.league.tiers.length,
        },
        periods: periods.map((period) => seenPeriod(period, board.league?.groupSize ?? null, facts, now)),
        next,
      };
    },
  ),

  /**
   * Rows of a period by rank: from the top, from `cursor`, or from some rows above a player or team. `next` is the cursor of the next page.
   */
  standings: forEnvironment("Viewer", "cheap")(
    oneBoard.extend({
      start,
      cursor,
      /** A player's ID, or the name of a team; empty for one without a score. */
      around: z.string().max(MAX_ID_LENGTH).nullable().default(null),
      limit: z.int().min(1).max(100).default(50),
    }),
    async (input, { database, environment }) => {
      const { key, start, around, limit } = input;
      const after = cursorOf(input.cursor);
      if (hasBadText(around ?? "") || hasBadText(start)) return { rows: [], next: null };
      const { board, rows, hasMore } = await listStandings(database, environment, { key, start, after, around, limit });
      const last = rows.at(-1);
      return {
        rows: rows.map((row) => seenRow(row, board.rankOrder)),
        next: hasMore && last !== undefined ? `${last.sortScore} ${last.reachedSeq} ${last.playerId}` : null,
      };
    },
  ),

  /** A group of a league, by its tier and its number, both counted from 0: its players in the order of their ranks there. */
  group: forEnvironment("Viewer", "cheap")(
    oneBoard.extend({ start, tier: z.int().min(0).max(100), group: z.int32().min(0) }),
    async (input, { database, environment }) => {
      if (hasBadText(input.start)) return { rows: [], next: null };
      const { board, rows } = await listGroup(database, environment, input);
      // A group is one page.
      return { rows: rows.map((row) => seenRow(row, board.rankOrder)), next: null };
    },
  ),
};

const CURSOR = new RegExp(`^(-?\\d{1,60}(?:\\.\\d{1,20})?) (\\d{1,18}) (${UUID})$`);

function cursorOf(cursor: string | null): RowCursor | null {
  const parts = partsOf(cursor, CURSOR);
  return parts && { sortScore: parts[0]!, reachedSeq: Number(parts[1]), playerId: parts[2]! };
}

const seenPeriod = (period: KeptPeriod, groupSize: number | null, facts: { isLive: boolean; isActive: boolean }, now: number) => ({
  start: period.start,
  startsAt: boundOrNull(period.startsAt),
  endsAt: boundOrNull(period.endsAt),
  settlesAt: boundOrNull(period.settlesAt),
  settledAt: instantOrNull(period.settledAt),
  state: periodState(period, now),
  participants: period.participants,
  groups: groupSize === null ? [] : period.seats.map((seats) => (seats === 0 ? 0 : groupOfSeat(seats - 1, groupSize) + 1)),
  settleRefusal: settleRefusal(period, facts),
});

const seenRow = (
  { playerId, externalId, displayName, team, members, rank, tier, groupNumber, outcome, ...row }: PageRow,
  order: RankOrder,
) => ({
  id: playerId,
  rank,
  score: writeJson(sortScore(row.sortScore, order)),
  player: externalId === null ? null : { externalId, displayName },
  team: team === null ? null : { name: team, members: members ?? 0 },
  seat: tier === null || groupNumber === null ? null : { tier, group: groupNumber, outcome },
});
