import { type Database, transact, type Transaction } from "../../db/client.ts";
import type { Leaderboard } from "../definitions/compiled.ts";
import { definitionsOf } from "../definitions/service.ts";
import { type Ground, openGround } from "../engine/apply.ts";
import { holdGroundAlone } from "../engine/store.ts";
import { LANES } from "../kernel/lanes.ts";
import { groupOf } from "../leaderboards/leagues.ts";
import { periodClosed } from "../leaderboards/notification.ts";
import { periodOf, settlesAt } from "../leaderboards/periods.ts";
import { sortScore } from "../leaderboards/scores.ts";
import {
  countParticipants,
  ensurePeriods,
  type PeriodRow,
  savePeriod,
  takePeriod,
  takesScores,
  unsettledPeriods,
} from "../leaderboards/store/periods.ts";
import { saveScores, type ScoreChangeRow } from "../leaderboards/store/scores.ts";
import {
  type ContributionPlace,
  contributionsAfter,
  firstWaiting,
  giveSeats,
  hasWaitingFrom,
  loadUnseated,
  type Place,
  rowsAfter,
} from "../leaderboards/store/settling.ts";
import { lockPlayers } from "../players/store.ts";
import { environmentNow, loadEnvironment } from "../projects/service.ts";
import { enqueueDeliveries } from "../webhooks/store.ts";
import { closePage } from "./closing.ts";

/** Players carried into the next period, or given seats, in one transaction. */
const PAGE = 500;

/**
 * Takes every step that is due for the periods of an environment, in the order in which they end: the next period begins,
 * what is settled is frozen, seats, leagues, prizes, webhook (server/leaderboards/README.md). Each step commits by itself and
 * leaves behind where it stands, so that whoever comes next goes on there; any number of processes may try at once. How many
 * steps were taken.
 */
export async function settlePeriods(database: Database, environmentId: number, isStopping: () => boolean = () => false): Promise<number> {
  const environment = await loadEnvironment(database.sql, environmentId);
  if (environment === null) return 0;
  const now = await environmentNow(database.sql, environment);
  let steps = 0;
  for (const { id } of (await unsettledPeriods(database.sql, environmentId)).filter((one) => isDue(one, now))) {
    while (!isStopping() && (await takeStep(database, environmentId, id))) steps++;
  }
  return steps;
}

const isDue = ({ dueAt }: PeriodRow, now: number): boolean => dueAt !== null && dueAt <= now;

/** The next step of a period; false where none is due now, somebody else takes it, or it has to wait for others. */
async function takeStep(database: Database, environmentId: number, id: number): Promise<boolean> {
  const period = (await unsettledPeriods(database.sql, environmentId)).find((one) => one.id === id);
  if (period === undefined) return false;
  if (period.step !== "Ended") return transact(database, async (tx) => step(tx, await openGround(tx, environmentId), period));
  if (period.settlesAt === null || (await hasWaitingFrom(database.sql, environmentId, period.settlesAt, LANES))) return false;
  return transact(database, async (tx) => {
    await holdGroundAlone(tx, environmentId);
    const environment = await loadEnvironment(tx, environmentId);
    if (environment === null) return false;
    const [now, definitions] = await Promise.all([environmentNow(tx, environment), definitionsOf(tx, environment)]);
    return step(tx, { environment, definitions, now }, period);
  });
}

async function step(tx: Transaction, ground: Ground, seen: PeriodRow): Promise<boolean> {
  const period = await takePeriod(tx, seen.id, seen.step);
  const board = ground.definitions.leaderboardsById.get(seen.leaderboardId);
  if (period === null || board === undefined || !isDue(period, ground.now)) return false;
  switch (period.step) {
    case "Open":
      return end(tx, ground, board, period);
    case "Carrying":
      return carry(tx, ground, board, period);
    case "Ended":
      return freeze(tx, ground, board, period);
    case "Seating":
      return seat(tx, board, period);
    case "Closing":
      return close(tx, ground, board, period);
    case "Settled":
      return false;
  }
}

/** The period is over: the next one begins. It is settled some time later. */
async function end(tx: Transaction, { environment, definitions }: Ground, board: Leaderboard, period: PeriodRow): Promise<boolean> {
  const next = board.active && period.endsAt !== null ? periodOf(board, period.endsAt, definitions.timeZone) : null;
  if (next !== null) await ensurePeriods(tx, environment.id, [{ ...next, leaderboardId: board.id, settlesAt: settlesAt(board, next) }]);
  const carries = next !== null && board.scoreSource === "Attribute";
  await savePeriod(tx, period.id, carries ? { step: "Carrying", dueAt: period.dueAt } : { step: "Ended", dueAt: period.settlesAt });
  return true;
}

/** What players have goes on in the next period (a board over an attribute), unless something newer is there already. */
async function carry(tx: Transaction, { environment, definitions }: Ground, board: Leaderboard, period: PeriodRow): Promise<boolean> {
  const next = period.endsAt === null ? null : periodOf(board, period.endsAt, definitions.timeZone);
  const page = board.teamAttributeId === null ? await heldScores(tx, board, period) : await heldContributions(tx, period);
  if (next === null || page.rows.length === 0) {
    await savePeriod(tx, period.id, { step: "Ended", dueAt: period.settlesAt });
    return true;
  }
  await lockPlayers(tx, page.rows);
  const changes = page.rows.map(({ part, playerId, team, score, reachedSeq }): ScoreChangeRow => ({
    kind: "scoreChange",
    part,
    playerId,
    leaderboardId: board.id,
    period: next,
    team,
    change: { by: "Carry", value: score, at: 0 },
    seq: reachedSeq,
  }));
  await saveScores(tx, definitions, environment.id, changes);
  await savePeriod(tx, period.id, { step: "Carrying", dueAt: period.dueAt, cursor: page.cursor });
  return true;
}

async function heldScores(tx: Transaction, board: Leaderboard, { id, cursor }: PeriodRow) {
  const rows = await rowsAfter(tx, id, cursor as Place | null, PAGE);
  const last = rows.at(-1);
  return {
    rows: rows.map((row) => ({ ...row, score: sortScore(row.sortScore, board.rankOrder) })),
    cursor: last === undefined ? null : { sortScore: String(last.sortScore), reachedSeq: last.reachedSeq, playerId: last.playerId },
  };
}

async function heldContributions(tx: Transaction, { id, cursor }: PeriodRow) {
  const rows = await contributionsAfter(tx, id, cursor as ContributionPlace | null, PAGE);
  const last = rows.at(-1);
  return { rows, cursor: last === undefined ? null : { team: last.team, part: last.part, playerId: last.playerId } };
}

/**
 * From here on nothing moves the period. Everything that was received before has been worked off, and what goes before it is
 * settled; otherwise it waits. A board that is switched off is not settled until it is switched on again.
 */
async function freeze(tx: Transaction, { environment, now }: Ground, board: Leaderboard, period: PeriodRow): Promise<boolean> {
  const earlier = (await unsettledPeriods(tx, environment.id)).some((one) => one.leaderboardId === board.id && one.number < period.number);
  const waits = period.settlesAt === null || (await hasWaitingFrom(tx, environment.id, period.settlesAt, LANES));
  if (board.active && (earlier || waits)) return false;
  await savePeriod(
    tx,
    period.id,
    board.active
      ? { step: board.league === null ? "Closing" : "Seating", dueAt: now, prizes: board.prizes, settledAt: now, isFrozen: true }
      : { step: "Ended", dueAt: null },
  );
  return board.active;
}

/** Whoever scored in a league has a seat by now: everything that came for the period has been worked off. */
async function seat(tx: Transaction, board: Leaderboard, period: PeriodRow): Promise<boolean> {
  const given = await seatPage(tx, board, period, null);
  if (given < PAGE) await savePeriod(tx, period.id, { step: "Closing", dueAt: period.dueAt });
  return true;
}

async function close(tx: Transaction, { environment }: Ground, board: Leaderboard, period: PeriodRow): Promise<boolean> {
  const settledAt = period.settledAt ?? 0;
  const cursor = await closePage(tx, board, { ...period, prizes: period.prizes ?? [], settledAt }, period.cursor);
  if (cursor !== null) {
    await savePeriod(tx, period.id, { step: "Closing", dueAt: period.dueAt, cursor });
    return true;
  }
  const participants = await countParticipants(tx, period.id);
  await enqueueDeliveries(tx, [periodClosed(board.key, { ...period, environmentId: environment.id, participants, settledAt })]);
  await savePeriod(tx, period.id, { step: "Settled", dueAt: null, participants });
  return true;
}

/**
 * Gives seats in a league's period to those who have scored, once the period before it is settled: in the order of first
 * scores, therefore only up to the first fact that is not worked off yet. How many were given.
 */
export async function giveSeatsOf(database: Database, environmentId: number, periodId: number): Promise<number> {
  return transact(database, async (tx) => {
    const { definitions } = await openGround(tx, environmentId);
    const seen = (await unsettledPeriods(tx, environmentId)).find(({ id }) => id === periodId);
    const board = seen === undefined ? undefined : definitions.leaderboardsById.get(seen.leaderboardId);
    if (seen === undefined || board === undefined || !takesScores(seen)) return 0;
    const period = await takePeriod(tx, periodId, seen.step);
    if (period === null) return 0;
    const waiting = await firstWaiting(tx, environmentId, LANES);
    return seatPage(tx, board, period, waiting);
  });
}

async function seatPage(tx: Transaction, { id, league }: Leaderboard, period: PeriodRow, beforeSeq: number | null): Promise<number> {
  if (league === null) return 0;
  const players = await loadUnseated(tx, id, period.id, beforeSeq, PAGE);
  if (players.length === 0) return 0;
  const given = league.tiers.map((_, tier) => period.seats[tier] ?? 0);
  const seated = players.map((player) => {
    const place = given[player.tier] ?? 0;
    given[player.tier] = place + 1;
    return { ...player, groupNumber: groupOf(place, league.groupSize) };
  });
  await giveSeats(tx, period.id, seated, given);
  return players.length;
}
