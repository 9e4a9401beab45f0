import type { Leaderboard } from "../../model/definitions/compiled.ts";
import { instantInZone } from "../../model/definitions/words.ts";
import { simulate } from "../../engine/simulate.ts";
import type { Effect, ScoreChangeEffect, ScorePeriod } from "../../model/rules/effects.ts";
import type { Player } from "../../model/kernel/player.ts";
import { heldScores, mayScore, teamOf } from "../../model/leaderboards/advance.ts";
import { explainScore, keptOut } from "../../model/leaderboards/explain.ts";
import { isOpen, periodOf } from "../../model/leaderboards/periods.ts";
import type { LoggedGrant } from "../../model/leaderboards/recount.ts";
import { effectScores, isHeld } from "../../model/leaderboards/shape.ts";
import { changed, type Score } from "../../model/leaderboards/scores.ts";
import type { TrialLine, TrialStep, TrialSummary } from "./shapes.ts";
import type { Happening } from "./invented.ts";
import type { PreviewResult } from "./missions.ts";
import { rewardTexts, totalRewards } from "../../model/rules/reward.ts";
import { factStep, isHappening, line, ownStep, type Scene, stepOf } from "./steps.ts";

/** The current scores of a player for each of their teams (null on a board of players), by the start of their period. */
class Scores {
  readonly #scores = new Map<string | null, Map<string, Score>>();
  readonly #periods = new Map<string, ScorePeriod>();
  readonly #scene: Scene;

  constructor(scene: Scene, team: string | null, scores: ReadonlyMap<string, Score>) {
    this.#scene = scene;
    this.#scores.set(team, new Map(scores));
  }

  /** Applies a change; returns the text that describes it. */
  apply({ period, team, change, seq }: Pick<ScoreChangeEffect, "period" | "team" | "change" | "seq">): TrialLine {
    const own = this.#scores.get(team) ?? new Map<string, Score>();
    const before = own.get(period.start) ?? null;
    const after = changed(before, change, seq);
    this.#scores.set(team, own.set(period.start, after));
    this.#periods.set(period.start, period);
    const where = this.nameOf(period);
    const stays = before !== null && before.score.toString() === after.score.toString();
    return line(true, `the score${where} ${stays ? "stays" : "is now"} ${after.score}`);
  }

  nameOf({ startsAt, endsAt }: ScorePeriod): string {
    if (startsAt === null || endsAt === null) return "";
    return ` from ${instantInZone(startsAt, this.#scene.words)} to ${instantInZone(endsAt, this.#scene.words)}`;
  }

  /** The scores for one team, and whether it has one in the current period. */
  items(current: ScorePeriod | null, team: string | null): TrialSummary["items"] {
    if (current !== null) this.#periods.set(current.start, current);
    const own = this.#scores.get(team);
    return [...this.#periods.values()]
      .filter(({ start }) => start === current?.start || own?.has(start))
      .sort((a, b) => b.number - a.number)
      .map((period) => {
        const score = own?.get(period.start);
        const label = `Score${period.start === current?.start ? " now" : this.nameOf(period)}`;
        return { label, value: score === undefined ? "none" : score.score.toString(), fraction: null, isDone: null };
      });
  }
}

/** The effect of facts on a player's score, on top of the stored scores. */
export function tryLeaderboard(
  scene: Scene,
  player: Player,
  board: Leaderboard,
  facts: readonly Happening[],
  stored: ReadonlyMap<string, Score>,
): PreviewResult {
  const scores = new Scores(scene, teamOf(player, board), stored);
  let number = 0;
  const granted: Effect[] = [];
  const simulated = simulate(player, scene.definitions, facts);
  const steps = simulated.flatMap(({ fact, after, effects }): TrialStep[] => {
    granted.push(...effects);
    const changes = effects.filter((effect) => effect.kind === "scoreChange");
    const lines = changes.map((change) => scores.apply(change));
    if (!isHappening(fact)) {
      // A consequence that scores, such as an entry that completes a mission, is a separate step.
      return lines.length === 0
        ? []
        : [ownStep("Remark", fact.receivedAt, effectScores(board)?.title ?? "", lines, rewardTexts(effects, scene))];
    }
    number++;
    if (lines.length === 0) lines.push(line(false, reasonOf(scene, after, board, fact, effects)));
    return [factStep(fact, number, { counts: changes.length > 0, lines, rewards: rewardTexts(effects, scene) }, scene)];
  });
  // Facts may be invented for later than now, and may change who takes part.
  const end = { ...scene, now: Math.max(scene.now, facts.at(-1)?.receivedAt ?? 0) };
  const after = simulated.at(-1)?.after ?? player;
  const last = facts.at(-1);
  // A value that holds until it is set again carries over into the period of the last fact.
  if (isHeld(board) && last !== undefined) {
    const now = { since: end.now, seq: last.seq, receivedAt: end.now, now: end.now };
    for (const effect of heldScores(after, scene.definitions, board, now)) if (effect.kind === "scoreChange") scores.apply(effect);
  }
  return { steps, summary: summaryOf(end, after, board, scores), rewards: totalRewards(granted, scene) };
}

/** Why a fact changes no score. */
export function reasonOf(scene: Scene, player: Player, board: Leaderboard, fact: Happening, effects: readonly Effect[]): string {
  const { definitions, words } = scene;
  const scored = effectScores(board);
  if (scored !== null) {
    const at = effects.flatMap((effect) => scored.changeBy(effect)?.at ?? [])[0];
    return (at === undefined ? null : keptOut(player, board, at, at, definitions.timeZone, words)) ?? scored.none;
  }
  if (fact.kind === "event") return explainScore(player, definitions, board, fact, words) ?? "the board does not read it";
  if (!(definitions.leaderboardsByAttribute.get(fact.attributeId) ?? []).includes(board)) return "the board does not read it";
  if (!mayScore(player, board)) return keptOut(player, board, fact.occurredAt, fact.receivedAt, definitions.timeZone, words) ?? "";
  return "the player has no number in what the board ranks, or its period is not open";
}

/** The effect of granted points on a player's score on a board over points. */
export function tryGrants(scene: Scene, player: Player, board: Leaderboard, grants: readonly LoggedGrant[]): PreviewResult {
  const { definitions, words } = scene;
  const team = teamOf(player, board);
  const scores = new Scores(scene, team, new Map());
  const steps = grants.map(({ amount, at, seq }, index): TrialStep => {
    const reason = keptOut(player, board, at, at, definitions.timeZone, words);
    const period = periodOf(board, at, definitions.timeZone);
    const counts = reason === null && period !== null && isOpen(board, period, at);
    const change = { by: "Sum", value: amount, at } as const;
    const lines = counts ? [scores.apply({ period, team, change, seq })] : [line(false, reason ?? "")];
    const details = [{ name: "points", value: String(amount) }];
    const number = index + 1;
    const step = { number, kind: "Grant" as const, title: `Points granted #${number}`, details, lines, rewards: [] };
    return stepOf({ occurredAt: at, receivedAt: at }, counts, step);
  });
  return { steps, summary: summaryOf(scene, player, board, scores), rewards: [] };
}

function summaryOf({ definitions, now, words }: Scene, player: Player, board: Leaderboard, scores: Scores): TrialSummary {
  const current = periodOf(board, now, definitions.timeZone);
  const items = scores.items(current, teamOf(player, board));
  if (current === null) return { headline: "No active period: outside the season.", tone: "warn", items };
  const reason = keptOut(player, board, now, now, definitions.timeZone, words);
  if (reason !== null) return { headline: `The player does not take part: ${reason}.`, tone: "warn", items };
  const own = items.find(({ label }) => label === "Score now")?.value ?? "none";
  return {
    headline: own === "none" ? "The player has no score yet." : `The score is ${own}.`,
    tone: own === "none" ? "neutral" : "good",
    items,
  };
}
