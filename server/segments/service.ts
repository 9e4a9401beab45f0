import type { Sql, Transaction } from "../../db/client.ts";
import type { Definitions, Question, Rollup } from "../definitions/compiled.ts";
import { appliedEventsOf, appliedEventsOfPlayers } from "../events/service.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import type { Scalar } from "../kernel/values.ts";
import { appliedMetricEvents } from "../metrics/service.ts";
import type { PlayerKey } from "../players/identity.ts";
import { liveLengths, liveLengthsOfPlayers } from "../streaks/service.ts";
import { questionName } from "./conditions.ts";
import { answerIn, answerOf, MARK, rangeOf, rollupOf } from "./rollups.ts";
import { changedBuckets, loadRanges, loadRangesAll, saveBuckets } from "./store.ts";

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

/**
 * What conditions ask about several players, for who only wants to know: nothing is locked or kept. What is not kept for a
 * player, or belongs to a condition that nobody has saved, is made from the log.
 */
export async function answersTried(
  sql: Sql,
  environmentId: number,
  { timeZone }: Definitions,
  now: number,
  players: readonly Player[],
  questions: readonly Question[],
): Promise<Map<string, Player["answers"]>> {
  const asked = [...new Map(questions.map((question) => [questionName(question), question])).values()];
  const history = asked.filter((question) => "rollup" in question);
  const streaks = asked.flatMap((question) => ("streak" in question ? [question.streak] : []));
  const zoned = players.map(({ part, playerId, timeZone: own }) => ({ part, playerId, zone: own ?? timeZone }));
  const ranges = zoned.flatMap(({ zone, ...key }) =>
    history.map((question) => ({ ...key, ...rangeOf(question, now, zone), rollupId: question.rollup.id, mark: MARK })),
  );
  const [found, lengths] = await Promise.all([
    loadRangesAll(sql, ranges),
    streaks.length === 0 ? new Map<string, Map<number, number>>() : liveLengthsOfPlayers(sql, zoned, streaks, now),
  ]);
  const lacking = zoned.filter((_, place) => history.some((__, at) => found[place * history.length + at] === null));
  const logged = await loggedOf(sql, environmentId, lacking, [...new Set(history.map(({ rollup }) => rollup.eventId))]);
  return new Map(
    zoned.map(({ playerId, zone }, place) => {
      const ofStreaks = streaks.map((streak): [string, Scalar | null] => [
        questionName({ streak }),
        lengths.get(playerId)?.get(streak.id) ?? 0,
      ]);
      const ofHistory = history.map((question, at): [string, Scalar | null] => {
        const kept = found[place * history.length + at];
        if (kept !== null && kept !== undefined) return [questionName(question), answerOf(question, kept.count, kept.readings)];
        return [questionName(question), answerIn(question, rollupOf(question.rollup, logged.get(playerId) ?? [], zone), now, zone)];
      });
      return [playerId, new Map([...ofStreaks, ...ofHistory])];
    }),
  );
}

/** What some players did of some events and metrics, in the order of facts. */
async function loggedOf(
  sql: Sql,
  environmentId: number,
  players: readonly PlayerKey[],
  eventIds: readonly number[],
): Promise<Map<string, EventFact[]>> {
  if (players.length === 0) return new Map();
  const [events, metricEvents] = await Promise.all([
    appliedEventsOfPlayers(sql, environmentId, players, eventIds),
    appliedMetricEvents(sql, environmentId, players, eventIds),
  ]);
  const logged = [...events.map((event) => ({ ...event, value: null })), ...metricEvents].sort((a, b) => a.seq - b.seq);
  const facts = logged.map((fact) => ({ kind: "event" as const, ...fact }));
  return Map.groupBy(facts, ({ playerId }) => playerId);
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
