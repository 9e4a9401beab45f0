import { advance } from "../../engine/advance.ts";
import type { Definitions, Leaderboard } from "../../model/definitions/compiled.ts";
import { addNumbers, type Numeric } from "../../model/kernel/decimal.ts";
import type { ScoreChange, ScorePeriod } from "../../model/rules/effects.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import type { Player } from "../../model/kernel/player.ts";
import type { Steps } from "../../model/kernel/steps.ts";
import { mayScore, teamOf } from "../../model/leaderboards/advance.ts";
import { prizeEffects } from "../../model/leaderboards/closing.ts";
import { leaderboardLookups } from "../../model/leaderboards/lookups.ts";
import { isOpen, periodOf } from "../../model/leaderboards/periods.ts";
import { byRank, groupOfSeat, outcomes, type Rankable, ranks } from "../../model/leaderboards/ranking.ts";
import { logOf } from "../../model/leaderboards/shape.ts";
import { changed, type RankOrder, type Score, sortScore } from "../../model/leaderboards/scores.ts";
import { isIn } from "../../model/rules/audience.ts";
import { itemsOf, pointsOf } from "../../model/rules/reward.ts";
import { asTried, nothingMoves } from "../simulation/narrowed.ts";
import { addItems, audienceInTime, inTime, type Outcome, type Playable, type Window } from "./play.ts";

/** The most scores of all periods that are held in memory. */
const MAX_SCORES = 500_000;

/** A player's score in a period, or their contribution to a team's, with the instant of the first one. Kept small: there are many. */
interface Scored {
  score: Score;
  first: number;
}

interface Held {
  endsAt: number;
  /** Scores by team; on a board of players the only key is null. */
  teams: Map<string | null, Map<Outcome, Scored>>;
}

/** Why a board cannot be played; null if it can. */
export function notPlayable(board: Leaderboard): string | null {
  if (logOf(board) === null) return "This board cannot be backtested: earlier values of what it ranks are not stored.";
  if (board.period.kind === "AllTime")
    return "This board has no end, so it never gives prizes. Only boards with periods can be backtested.";
  return null;
}

/** The periods that begin and end in the window. */
function periodsIn(board: Leaderboard, { from, to }: Window, zone: string): number {
  let count = 0;
  const { period } = board;
  if (period.kind === "Season") return Number(period.startsAt >= from && period.endsAt <= to);
  for (let one = periodOf(board, from, zone); one?.endsAt != null && one.endsAt <= to; one = periodOf(board, one.endsAt, zone))
    count += Number((one.startsAt ?? -Infinity) >= from);
  return count;
}

/**
 * A board as if it had been on since the start of the window. All players' facts are scored in order, and each period that lies wholly in
 * the window is closed at the end with the board's prizes. Outcomes are complete only then, since a rank depends on all players. A league
 * begins with all players in the lowest tier; seats are given in the order of first scores.
 */
export function playableBoard(definitions: Definitions, given: Leaderboard, window: Window): Playable {
  const { from, to } = window;
  const { timeZone } = definitions;
  const board = asTried(given, from);
  const audience = audienceInTime(definitions, board.audience);
  const only = { ...nothingMoves(definitions), ...leaderboardLookups([board]), rollupsByEvent: audience.rollupsByEvent };
  const isOfPoints = logOf(board) === "Ledger";
  const held = new Map<string, Held>();
  let scores = 0;
  const score = (outcome: Outcome, period: ScorePeriod, team: string | null, change: ScoreChange, at: number) => {
    const { startsAt, endsAt } = period;
    if (startsAt === null || endsAt === null || startsAt < from || endsAt > to) return;
    let one = held.get(period.start);
    if (one === undefined) held.set(period.start, (one = { endsAt, teams: new Map() }));
    let members = one.teams.get(team);
    if (members === undefined) one.teams.set(team, (members = new Map()));
    const known = members.get(outcome);
    if (known === undefined && ++scores > MAX_SCORES)
      throw new OperatorError("There are too many scores to rank together. Try fewer days.");
    // Of equal scores, the one reached first ranks higher. Positions are per player here, so the instant decides.
    if (known === undefined) members.set(outcome, { score: changed(null, change, at), first: at });
    else known.score = changed(known.score, change, at);
    outcome.isEntered = true;
  };
  return {
    reads: isOfPoints || board.definitionId === null ? audience.asks : [...new Set([board.definitionId, ...audience.asks])],
    asks: audience.asks,
    asOfToday: audience.asOfToday,
    readsLedger: isOfPoints,
    periods: periodsIn(board, window, timeZone),
    play(subject) {
      const outcome: Outcome = { isQualified: false, isEntered: false, completions: [], items: new Map(), lacks: [] };
      let player: Player = audience.begin(subject.player, subject.before);
      const look = (at: number) => {
        player = audience.at(player, at);
        outcome.isQualified ||= isIn(player, board.audience);
      };
      look(from);
      if (player.isHidden) return outcome;
      for (const { at, fact, entry } of inTime(subject)) {
        if (at > to) break;
        look(at);
        if (fact !== undefined) {
          const advanced = advance(player, only, [fact]);
          player = advanced.player;
          for (const effect of advanced.effects)
            if (effect.kind === "scoreChange") score(outcome, effect.period, effect.team, effect.change, at);
        } else if (entry?.isEarned === true && mayScore(player, board)) {
          const period = periodOf(board, at, timeZone);
          if (period !== null && isOpen(board, period, at))
            score(outcome, period, teamOf(player, board), { by: "Sum", value: entry.amount, at }, at);
        }
      }
      return outcome;
    },
    *close() {
      const tierOf = new Map<Outcome, number>();
      for (const { endsAt, teams } of [...held.values()].sort((a, b) => a.endsAt - b.endsAt)) {
        const rankable = [...teams].flatMap(([team, members]) => rowsOf(team, members, board.rankOrder));
        const won = new Map<Outcome, Set<number>>();
        yield;
        if (board.league === null) {
          const sorted = rankable.sort(byRank);
          yield;
          for (const [index, rank] of ranks(sorted).entries()) yield* award(sorted[index]!, rank, endsAt, won);
          continue;
        }
        const rules = { ...board.league, tiers: board.league.tiers.length };
        const seats = new Map<number, number>();
        const groups = Map.groupBy(
          rankable.sort((a, b) => a.first - b.first),
          ({ winners }) => {
            const tier = tierOf.get(winners[0]!) ?? 0;
            const seat = seats.get(tier) ?? 0;
            seats.set(tier, seat + 1);
            return `${tier}/${groupOfSeat(seat, rules.groupSize)}`;
          },
        );
        for (const [name, group] of groups) {
          for (const { row, rank, tier } of outcomes(group, Number(name.split("/")[0]), rules)) {
            tierOf.set(row.winners[0]!, tier);
            yield* award(row, rank, endsAt, won);
          }
        }
      }
    },
  };

  /** A player who scored for two winning teams gets both prizes; the same prize is granted once. */
  function* award({ winners }: Row, rank: number, endsAt: number, won: Map<Outcome, Set<number>>): Steps<void> {
    const effects = prizeEffects(board.prizes, rank, { periodId: "", leaderboardId: board.id, at: endsAt - 1 });
    if (effects.length === 0) return;
    const prize = board.prizes.findIndex(({ fromRank, toRank }) => rank >= fromRank && rank <= toRank);
    for (const outcome of winners) {
      const own = won.get(outcome) ?? new Set();
      if (own.has(prize)) continue;
      won.set(outcome, own.add(prize));
      addItems(outcome.items, itemsOf(effects));
      outcome.completions.push({ at: endsAt - 1, points: pointsOf(effects), tookMs: null });
      outcome.lacks.push(prize);
      yield;
    }
  }
}

/** A ranked row: a player, or a team with its contributors. */
interface Row extends Rankable {
  first: number;
  winners: readonly Outcome[];
}

/** A team's score is the sum of its members'. */
function rowsOf(team: string | null, members: ReadonlyMap<Outcome, Scored>, order: RankOrder): Row[] {
  if (team === null)
    return Array.from(members, ([outcome, { score, first }]) => ({
      first,
      winners: [outcome],
      sortScore: sortScore(score.score, order),
      reachedSeq: score.reachedSeq,
    }));
  const all = [...members.values()];
  const sum = all.reduce<Numeric>((total, { score }) => addNumbers(total, score.score), 0);
  return [{ first: all[0]!.first, winners: [...members.keys()], sortScore: sortScore(sum, order), reachedSeq: 0 }];
}
