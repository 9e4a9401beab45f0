import type { Streak } from "../../model/definitions/compiled.ts";
import type { StreakMove } from "../../engine/moved.ts";
import { simulate } from "../../engine/simulate.ts";
import { periodsInWords } from "../../model/kernel/calendar.ts";
import type { Effect } from "../../model/rules/effects.ts";
import type { Player } from "../../model/kernel/player.ts";
import { parseInstant, periodAt } from "../../model/kernel/time.ts";
import { NO_STREAK } from "../../model/streaks/advance.ts";
import { explainStreak, periodBegins, periodMoves, streakMoves } from "../../model/streaks/explain.ts";
import { streakRow } from "../../model/streaks/rows.ts";
import { instantInZone } from "../../model/definitions/words.ts";
import type { TrialLine, TrialSummary } from "./shapes.ts";
import type { Happening } from "./invented.ts";
import type { PreviewResult } from "./missions.ts";
import { rewardTexts, totalRewards } from "../../model/rules/reward.ts";
import { factStep, isHappening, line, ownStep, type Scene } from "./steps.ts";

/** A completely known streak without any activity. */
const WHOLE = { ...NO_STREAK, isWhole: true };

/** The player without any activity in the streak. */
export const withoutStreak = (player: Player, { id }: Streak): Player => ({ ...player, streaks: new Map(player.streaks).set(id, WHOLE) });

/** The player with their state of the streak, which the trial may compute again. */
export const withStreak = (player: Player, { id }: Streak): Player => ({
  ...player,
  streaks: new Map(player.streaks).set(id, player.streaks.get(id) ?? WHOLE),
});

/** The effect of a streak on a player with these facts. */
export function tryStreak(scene: Scene, player: Player, streak: Streak, facts: readonly Happening[]): PreviewResult {
  const { definitions, words } = scene;
  const steps = simulate(player, definitions, facts, undefined, scene.now);
  let number = 0;
  const shown = steps.flatMap(({ fact, before, after, effects }) => {
    if (fact.kind === "streakPeriod") {
      const moves = periodBegins(streak, stateOf(after), fact.start);
      return [
        ownStep(
          "Remark",
          fact.receivedAt,
          moves.title,
          [...moves.lines, ...milestonesIn(effects)].map((text) => line(true, text)),
          rewardTexts(effects, scene),
        ),
      ];
    }
    if (!isHappening(fact)) return [];
    const verdict = fact.kind === "event" ? explainStreak(before, definitions, streak, fact, words) : null;
    const counts = verdict !== null && verdict.reason === null;
    const rewards = rewardTexts(effects, scene);
    return [factStep(fact, ++number, { counts, lines: linesOf(verdict), rewards }, scene)];

    function linesOf(known: typeof verdict): TrialLine[] {
      if (known === null) return [line(false, "the streak does not read it")];
      if (known.reason !== null) return [line(false, known.reason)];
      const moves = streakMoves(streak, stateOf(before), stateOf(after), known.period ?? "", words);
      return [...moves, ...milestonesIn(effects)].map((text) => line(true, text));
    }
  });
  const after = steps.at(-1)?.after ?? player;
  const granted = steps.flatMap(({ effects }) => effects);
  return { steps: shown, summary: summaryOf(scene, after, streak, facts), rewards: totalRewards(granted, scene) };

  function stateOf(one: Player) {
    return one.streaks.get(streak.id) ?? WHOLE;
  }
}

const milestonesIn = (effects: readonly Effect[]): string[] =>
  effects.flatMap((effect) => (effect.kind === "milestone" ? [milestoneText(effect.milestone)] : []));

const milestoneText = (milestone: number): string => `reaches the milestone of ${milestone}`;

/** The recorded state of a streak's period, in words. */
export const streakLines = ({ words }: Scene, move: StreakMove): string[] => [
  ...periodMoves(move, words),
  ...move.milestones.map(milestoneText),
];

function summaryOf(scene: Scene, player: Player, streak: Streak, facts: readonly Happening[]): TrialSummary {
  const { definitions, words, language } = scene;
  const now = Math.max(scene.now, ...facts.map(({ receivedAt }) => receivedAt));
  const zone = player.timeZone ?? definitions.timeZone;
  const { runs, periods } = player.streaks.get(streak.id) ?? WHOLE;
  const isQualified = periods.get(periodAt(now, zone, streak.cadence).start)?.isQualified ?? false;
  const progress = { runs, longest: Math.max(0, ...runs.map(({ length }) => length)), isQualified };
  const row = streakRow(streak, progress, now, zone, language);
  const length = (count: number) => periodsInWords(count, streak.cadence);
  const item = (label: string, value: string, fraction: number | null = null, isDone: boolean | null = null) => ({
    label,
    value,
    fraction,
    isDone,
  });
  const ends = row.endsAtUtc === null ? null : parseInstant(row.endsAtUtc);
  const next = row.nextMilestone;
  return {
    headline: row.currentLength === 0 ? "No active streak." : `Streak of ${length(row.currentLength)}.`,
    tone: row.currentLength === 0 ? "warn" : "good",
    items: [
      item("Current streak", length(row.currentLength)),
      item("Longest streak", length(row.longestLength)),
      item(`This ${streak.cadence.toLowerCase()} qualifies`, isQualified ? "yes" : "not yet", null, isQualified),
      ...(streak.freezes === null ? [] : [item("Freezes available", String(row.freezesAvailable))]),
      ...(next === null ? [] : [item("Next milestone", length(next), row.currentLength / next)]),
      ...(ends === null ? [] : [item("Ends unless continued by", instantInZone(ends, words))]),
    ],
  };
}

/** The instant at which the first of some facts was received; null without facts. */
export const firstReceipt = (facts: readonly { receivedAt: number }[]): number | null =>
  facts.length === 0 ? null : facts.reduce((first, { receivedAt }) => Math.min(first, receivedAt), Infinity);
