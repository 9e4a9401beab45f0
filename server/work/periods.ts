import { type Database, transact, type Transaction } from "../../db/client.ts";
import type { Leaderboard } from "../definitions/compiled.ts";
import { definitionsOf } from "../definitions/service.ts";
import { type Ground, openGround } from "../engine/apply.ts";
import { holdGroundAlone, nextSeq, untilOthersWrote } from "../engine/store.ts";
import type { ScorePeriod } from "../kernel/effects.ts";
import { LANES } from "../kernel/lanes.ts";
import { groupOf } from "../leaderboards/leagues.ts";
import { periodClosed } from "../leaderboards/notification.ts";
import { periodOf } from "../leaderboards/periods.ts";
import { sortScore } from "../leaderboards/scores.ts";
import { newPeriod } from "../leaderboards/service/schedule.ts";
import { isFilling } from "../leaderboards/store/fills.ts";
import {
  countParticipants,
  duePeriods,
  ensurePeriods,
  hasUnsettledBefore,
  type PeriodProgress,
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
  periodsWithSeatsToGive,
  type Place,
  rowsAfter,
} from "../leaderboards/store/settling.ts";
import { lockPlayers } from "../players/store.ts";
import { environmentNow, loadEnvironment } from "../projects/find-environment.ts";
import { enqueueDeliveries } from "../webhooks/store.ts";
import { closePage } from "./closing.ts";

/** Players carried into the next period, or given seats, in one transaction. */
const PAGE = 500;

/**
 * Takes every step that is due for the periods of an environment, in the order in which they end: what is settled is frozen,
 * the next period is there, seats, leagues, prizes, webhook (server/leaderboards/README.md). Each step commits by itself and
 * leaves behind where it stands, so that whoever comes next goes on there; any number of processes may try at once. How many
 * steps were taken.
 */
export async function settlePeriods(database: Database, environmentId: number, isStopping: () => boolean = () => false): Promise<number> {
  const environment = await loadEnvironment(database.sql, environmentId);
  if (environment === null) return 0;
  const [now, definitions] = await Promise.all([environmentNow(database.sql, environment), definitionsOf(database.sql, environment)]);
  let steps = 0;
  for (const period of await duePeriods(database.sql, environmentId, now)) {
    const board = definitions.leaderboardsById.get(period.leaderboardId);
    let next: Next | null = board === undefined ? null : period;
    while (next !== null && !isStopping() && next.dueAt !== null && next.dueAt <= now) {
      next = await takeStep(database, environmentId, board!, { ...period, step: next.step });
      if (next !== null) steps++;
    }
  }
  if (steps > 0) await giveSeatsIn(database, environmentId);
  return steps;
}

/** What comes next for a period, and when. */
type Next = Pick<PeriodRow, "step" | "dueAt">;

/** Takes the next step of a period; null where somebody else takes it, or it has to wait for others. */
async function takeStep(database: Database, environmentId: number, known: Leaderboard, period: PeriodRow): Promise<Next | null> {
  if (!isToFreeze(known, period)) return transact(database, async (tx) => step(tx, await openGround(tx, environmentId), period));
  if (period.settlesAt === null || (await hasWaitingFrom(database.sql, environmentId, period.settlesAt, LANES))) return null;
  if (await isFilling(database.sql, period.leaderboardId)) return null;
  return transact(database, async (tx) => {
    await holdGroundAlone(tx, environmentId);
    const environment = await loadEnvironment(tx, environmentId);
    if (environment === null) return null;
    const [now, definitions] = await Promise.all([environmentNow(tx, environment), definitionsOf(tx, environment)]);
    return step(tx, { environment, definitions, now }, period);
  });
}

/** What comes first, and only over an attribute: that values go on in the next period when one ends. A board's source never changes. */
const isToFreeze = ({ scoreSource }: Leaderboard, { step }: PeriodRow): boolean =>
  step === "Ended" || (step === "Open" && scoreSource !== "Attribute");

async function step(tx: Transaction, ground: Ground, seen: PeriodRow): Promise<Next | null> {
  const period = await takePeriod(tx, seen.id, seen.step);
  const board = ground.definitions.leaderboardsById.get(seen.leaderboardId);
  if (period === null || board === undefined || period.dueAt === null || period.dueAt > ground.now) return null;
  switch (period.step) {
    case "Open":
      return isToFreeze(board, period) ? freeze(tx, ground, board, period) : end(tx, ground, board, period);
    case "Carrying":
      return carry(tx, ground, board, period);
    case "Ended":
      return freeze(tx, ground, board, period);
    case "Seating":
      return seat(tx, board, period);
    case "Closing":
      return close(tx, ground, board, period);
    case "Settled":
      return null;
  }
}

async function save(tx: Transaction, id: number, progress: PeriodProgress): Promise<Next> {
  await savePeriod(tx, id, progress);
  return progress;
}

/** The period after one, which is there from now on; null where none follows. */
async function beginNext(tx: Transaction, { environment, definitions }: Ground, board: Leaderboard, period: PeriodRow) {
  const next = board.active && board.period.kind === "Calendar" ? following(board, period, definitions.timeZone) : null;
  if (next !== null) await ensurePeriods(tx, environment.id, [newPeriod(board, next)]);
  return next;
}

/** Where the project has moved to a zone further west since, a period ends while its last day goes on. */
function following(board: Leaderboard, { start, endsAt }: PeriodRow, zone: string): ScorePeriod | null {
  const next = endsAt === null ? null : periodOf(board, endsAt, zone);
  return next === null || next.start > start || next.endsAt === null ? next : periodOf(board, next.endsAt, zone);
}

/** The period is over, and what players have (a board over an attribute) goes on in the next. It is settled some time later. */
async function end(tx: Transaction, ground: Ground, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const next = await beginNext(tx, ground, board, period);
  return save(tx, period.id, next === null ? { step: "Ended", dueAt: period.settlesAt } : { step: "Carrying", dueAt: period.dueAt });
}

/** A page of what players have goes on in the next period, unless something newer is there already. */
async function carry(tx: Transaction, ground: Ground, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const { environment, definitions } = ground;
  const next = await beginNext(tx, ground, board, period);
  const page = board.teamAttributeId === null ? await heldScores(tx, board, period) : await heldContributions(tx, period);
  if (next === null || page.rows.length === 0) return save(tx, period.id, { step: "Ended", dueAt: period.settlesAt });
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
  return save(tx, period.id, { step: "Carrying", dueAt: period.dueAt, cursor: page.cursor });
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
 * settled; otherwise it waits, but not for what lies in quarantine: ranks are final, whatever becomes of that. It also waits until
 * the board has the values that players held when it was created or switched on. A board that is
 * switched off is not settled until it is switched on again.
 */
async function freeze(tx: Transaction, ground: Ground, board: Leaderboard, period: PeriodRow): Promise<Next | null> {
  const { environment, now } = ground;
  if (!board.active) return save(tx, period.id, { step: "Ended", dueAt: null });
  if (period.settlesAt === null || (await hasUnsettledBefore(tx, board.id, period.number))) return null;
  if (await isFilling(tx, board.id)) return null;
  const frozenSeq = await nextSeq(tx);
  // A request may still be writing what it received before; on a Sandbox clock that is moved the period ended only just now.
  if (!(await untilOthersWrote(tx, environment.id))) return null;
  if (await hasWaitingFrom(tx, environment.id, period.settlesAt, LANES)) return null;
  // Those that passed while the board was off are left out.
  if (period.step === "Open") await beginNext(tx, ground, board, period);
  const frozen = { dueAt: now, prizes: board.prizes, settledAt: now, frozenSeq };
  if (board.league !== null) return save(tx, period.id, { step: "Seating", ...frozen });
  const next = await save(tx, period.id, { step: "Closing", ...frozen });
  // Where nothing is to be paid that was all.
  return board.prizes.length > 0 ? next : close(tx, ground, board, { ...period, settledAt: now });
}

/** Whoever scored in a league has a seat by now: everything that came for the period has been worked off. */
async function seat(tx: Transaction, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const given = await seatPage(tx, board, period, null);
  return given === PAGE ? period : save(tx, period.id, { step: "Closing", dueAt: period.dueAt });
}

async function close(tx: Transaction, { environment }: Ground, board: Leaderboard, period: PeriodRow): Promise<Next> {
  const settledAt = period.settledAt ?? 0;
  const cursor = await closePage(tx, board, { ...period, prizes: period.prizes ?? [], settledAt }, period.cursor);
  if (cursor !== null) return save(tx, period.id, { step: "Closing", dueAt: period.dueAt, cursor });
  const participants = await countParticipants(tx, period.id);
  await enqueueDeliveries(tx, [periodClosed(board.key, { ...period, environmentId: environment.id, participants, settledAt })]);
  return save(tx, period.id, { step: "Settled", dueAt: null, participants });
}

/** Gives the seats that are to be given in the leagues of an environment. */
async function giveSeatsIn(database: Database, environmentId: number): Promise<void> {
  for (const period of await periodsWithSeatsToGive(database.sql)) {
    if (period.environmentId !== environmentId) continue;
    while ((await giveSeatsOf(database, environmentId, period.id)) === PAGE);
  }
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
