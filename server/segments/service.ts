import type { Sql, Transaction } from "../../db/client.ts";
import type { Definitions, Question, Rollup } from "../definitions/compiled.ts";
import { appliedEventsOf } from "../events/service.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import type { Scalar } from "../kernel/values.ts";
import { appliedMetricEvents } from "../metrics/service.ts";
import { liveLengths } from "../streaks/service.ts";
import { questionName } from "./conditions.ts";
import { answerOf, MARK, rangeOf, rollupOf } from "./rollups.ts";
import { changedBuckets, loadRanges, saveBuckets } from "./store.ts";

/** What conditions ask about a player; null where a rollup that is asked is not kept for the player yet. */
export async function answersOf(
  sql: Sql,
  definitions: Definitions,
  now: number,
  player: Player,
  questions: readonly Question[],
): Promise<Player["answers"] | null> {
  const { answers, missing } = await ask(sql, definitions, now, player, questions);
  return missing.length > 0 ? null : answers;
}

/**
 * As `answersOf` for a locked player, keeping from now on what is not kept yet: it is made from the log once, so that no
 * later read depends on how much a player has done. What is queued still is not in it; its fold will find the rollup there.
 */
export async function answersKept(
  tx: Transaction,
  definitions: Definitions,
  now: number,
  player: Player,
  questions: readonly Question[],
): Promise<Player["answers"]> {
  const { answers, missing } = await ask(tx, definitions, now, player, questions);
  if (missing.length === 0) return answers;
  const eventIds = [...new Set(missing.map(({ eventId }) => eventId))];
  const [events, metricEvents] = await Promise.all([
    appliedEventsOf(tx, player.environmentId, player, eventIds),
    appliedMetricEvents(tx, player.environmentId, [player], eventIds),
  ]);
  const logged = [...events.map((event) => ({ ...event, value: null })), ...metricEvents].sort((a, b) => a.seq - b.seq);
  const facts = logged.map((fact): EventFact => ({ kind: "event", ...fact }));
  const zone = player.timeZone ?? definitions.timeZone;
  const kept = new Map(missing.map((rollup) => [rollup.id, rollupOf(rollup, facts, zone)]));
  await saveBuckets(tx, changedBuckets(player, new Map(), kept));
  return (await ask(tx, definitions, now, player, questions)).answers;
}

/** What is answered about somebody who has done nothing. */
export const answersOfNobody = (questions: readonly Question[]): Player["answers"] =>
  new Map(questions.map((question) => [questionName(question), "streak" in question ? 0 : answerOf(question, 0, [])]));

async function ask(
  sql: Sql,
  { timeZone }: Definitions,
  now: number,
  player: Player,
  questions: readonly Question[],
): Promise<{ answers: Map<string, Scalar | null>; missing: Rollup[] }> {
  const asked = [...new Map(questions.map((question) => [questionName(question), question])).values()];
  const history = asked.filter((question) => "rollup" in question);
  const streaks = asked.flatMap((question) => ("streak" in question ? [question.streak] : []));
  const zone = player.timeZone ?? timeZone;
  const ranges = history.map((question) => ({ ...rangeOf(question, now, zone), rollupId: question.rollup.id, mark: MARK }));
  const [found, lengths] = await Promise.all([loadRanges(sql, player, ranges), liveLengths(sql, player, streaks, now, zone)]);
  const answers = new Map<string, Scalar | null>(streaks.map((streak) => [questionName({ streak }), lengths.get(streak.id) ?? 0]));
  const missing = new Map<number, Rollup>();
  for (const [place, question] of history.entries()) {
    const one = found[place];
    if (one === null || one === undefined) missing.set(question.rollup.id, question.rollup);
    else answers.set(questionName(question), answerOf(question, one.count, one.readings));
  }
  return { answers, missing: [...missing.values()] };
}
