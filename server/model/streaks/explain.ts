import type { Definitions, Streak } from "../definitions/compiled.ts";
import { instantInZone, type Words } from "../definitions/words.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player, Run, StreakState } from "../kernel/player.ts";
import { type Calendar, periodsInWords } from "../kernel/calendar.ts";
import type { Scalar } from "../kernel/values.ts";
import { filterReason } from "../rules/filter.ts";
import { counterWithoutEvents, measureReason } from "../rules/measure.ts";
import { concerns } from "../rules/measured.ts";
import { counterText } from "../rules/operator.ts";
import { advancePeriod, isFinal, NO_STREAK, streakPeriodOf } from "./advance.ts";
import { longPeriod } from "../kernel/dates.ts";
import { plural } from "../kernel/thousands.ts";

/** The period of an event, and the reason if it does not count there. */
export interface StreakVerdict {
  /** Local start; null if the streak does not read the event. */
  period: string | null;
  reason: string | null;
}

/**
 * Asked of the player before the event, with all of the streak's runs and periods that it may move. Null for an event that the streak is
 * not about.
 */
export function explainStreak(
  player: Pick<Player, "timeZone" | "streaks">,
  { timeZone }: Pick<Definitions, "timeZone">,
  streak: Streak,
  fact: EventFact,
  words: Words,
): StreakVerdict | null {
  const { criterion } = streak;
  if (criterion.definitionId !== fact.definitionId) return null;
  const zone = player.timeZone ?? timeZone;
  const period = streakPeriodOf(streak, fact, zone);
  if (period === null) {
    const isRead: boolean = concerns(criterion, fact, zone);
    const reason = isRead
      ? `received before the streak was made (${instantInZone(streak.createdAt, words)})`
      : filterReason(criterion.where, fact, zone, words.zone);
    return { period, reason };
  }
  const before = (player.streaks.get(streak.id) ?? NO_STREAK).periods.get(period);
  if (before !== undefined && isFinal(streak, before)) {
    return { period, reason: `${longPeriod(streak.cadence, period)} qualifies already` };
  }
  if (advancePeriod(streak, before, fact, zone) !== before) return { period, reason: null };
  return { period, reason: measureReason(criterion, before?.counter ?? counterWithoutEvents(criterion), fact, words.zone) };
}

/** The state of a period after an event that counts in it, and the effect on the runs. */
export function streakMoves(streak: Streak, before: StreakState, after: StreakState, period: string, words: Words): string[] {
  const { cadence, criterion } = streak;
  const now = after.periods.get(period);
  if (now === undefined) return [];
  const { type, operator, target } = criterion;
  const wasQualified = before.periods.get(period)?.isQualified ?? false;
  const run = after.runs.find(({ first, last }) => first <= period && period <= last) ?? null;
  const move = { cadence, type, operator, target, period, is: now.counter.value, wasQualified, isQualified: now.isQualified, run };
  return periodMoves(move, words);
}

/** A period of a streak that an event counted in. */
interface PeriodMove extends Pick<Streak["criterion"], "type" | "operator" | "target"> {
  cadence: Calendar;
  /** Its local start. */
  period: string;
  is: Scalar | null;
  wasQualified: boolean;
  isQualified: boolean;
  /** The run that it is part of. */
  run: Pick<Run, "length" | "freezes"> | null;
}

export function periodMoves({ cadence, type, operator, target, ...move }: PeriodMove, words: Words): string[] {
  const name = longPeriod(cadence, move.period);
  const stands = counterText(move.is, { type, operator, value: target, timeZone: words.zone });
  if (move.isQualified === move.wasQualified) return [`${name}: ${stands}`];
  if (!move.isQualified) return [`${name}: ${stands}; it no longer qualifies`];
  const outcome = move.run === null ? "it has not begun, and counts when it does" : runText(move.run, cadence);
  return [`${name}: ${stands}; it qualifies`, outcome];
}

/** The explanation for the start of a period that already had counts. */
export function periodBegins({ cadence }: Streak, after: StreakState, period: string): { title: string; lines: string[] } {
  const run = after.runs.find(({ first, last }) => first <= period && period <= last);
  return { title: `${longPeriod(cadence, period)} begins`, lines: run === undefined ? [] : [runText(run, cadence)] };
}

const runText = ({ length, freezes }: Pick<Run, "length" | "freezes">, cadence: Calendar): string =>
  `streak of ${periodsInWords(length, cadence)}${freezes === 0 ? "" : `, with ${plural(freezes, "freeze")} available`}`;
