import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Definitions, Leaderboard, Mission, Streak } from "../../model/definitions/compiled.ts";
import type { WordsWithObjectives } from "../../model/definitions/words.ts";
import { newcomer, NOON } from "../../model/missions/testing.ts";
import { type Decide, simulate } from "../../engine/simulate.ts";
import { leaderboard } from "../../model/leaderboards/testing.ts";
import { explainScore } from "../../model/leaderboards/explain.ts";
import { explainAttribute, explainObjectives } from "../../model/missions/explain.ts";
import { entriesOf, entriesToMake } from "../../model/missions/feed.ts";
import { standingOffer } from "../../model/missions/advance.ts";
import { NOT_ENTERED } from "../../model/missions/state.ts";
import { explainStreak } from "../../model/streaks/explain.ts";
import { NO_STREAK } from "../../model/streaks/advance.ts";
import { asTried, forEverybody, onlyLeaderboard, onlyMission, onlyStreak } from "./narrowed.ts";
import { worlds } from "./testing.ts";

/** Property: an explanation counts exactly what `advance` changes, for any definitions and events. */

const WORDS: WordsWithObjectives = { zone: "UTC", nameOf: (id) => `#${id}`, objectivesOf: () => [] };
const HOUR = 3_600_000;

const opened = (mission: Mission, definitions: Definitions): Decide => {
  return (player, { seq, receivedAt }) => {
    const place = seq - 0.5;
    // Reads in between, so that some events precede the entry, and some offers stay open.
    if (Math.floor(seq) % 3 !== 2) return [];
    const entries = entriesToMake(entriesOf(player, definitions, [mission], receivedAt), place, receivedAt);
    if (entries.length > 0) return entries;
    const state = player.missions.get(mission.partitionId)?.get(mission.id) ?? NOT_ENTERED;
    const isTaken = Math.floor(seq) % 2 === 0 && standingOffer(mission, state, receivedAt) !== undefined;
    return isTaken ? [{ kind: "accept", seq: place, receivedAt, missionId: mission.id }] : [];
  };
};

describe("an explanation counts exactly what a fold changes", () => {
  test("of missions: an objective has a reason exactly if its readings do not change", () => {
    const seen = { counted: 0, refused: 0 };
    fc.assert(
      fc.property(worlds, ({ definitions, facts }) => {
        for (const given of definitions.missions) {
          const mission = { ...forEverybody(asTried(given, 0)), window: { startsAt: null, endsAt: null } };
          const narrowed = onlyMission(definitions, mission);
          for (const { fact, before, after, effects } of simulate(newcomer(), narrowed, facts, opened(mission, narrowed))) {
            if (fact.kind !== "event" && fact.kind !== "attribute") continue;
            const live = (player: typeof before) => player.missions.get(mission.partitionId)?.get(mission.id)?.live ?? [];
            for (const occurrence of live(before)) {
              const verdicts =
                fact.kind === "event"
                  ? explainObjectives(before, mission, occurrence, fact, WORDS, "UTC")
                  : explainAttribute(mission, occurrence, fact);
              const now = live(after).find(({ number }) => number === occurrence.number);
              const isCompleted = effects.some((effect) => effect.kind === "completion" && effect.occurrenceNumber === occurrence.number);
              const counting = verdicts.filter(({ reason }) => reason === null).map(({ objective }) => objective);
              if (isCompleted) expect(counting).not.toEqual([]);
              if (now !== undefined) {
                const moved = mission.objectives.flatMap((_, at) =>
                  now.objectives[at]?.counters === occurrence.objectives[at]?.counters ? [] : [at],
                );
                // An attribute change recomputes the readings of every objective.
                if (fact.kind === "event") expect(counting).toEqual(moved);
                else expect(counting.length > 0).toBe(now.objectives !== occurrence.objectives);
              }
              for (const { reason } of verdicts) {
                if (reason === null) seen.counted++;
                else seen.refused++;
                expect(reason).not.toBe("");
              }
            }
          }
        }
      }),
      { numRuns: 80 },
    );
    // Guards against a run without cases.
    expect(Math.min(seen.counted, seen.refused)).toBeGreaterThan(10);
  });

  test("of streaks: an event has a reason exactly if its period does not change", () => {
    const seen = { counted: 0, refused: 0 };
    fc.assert(
      fc.property(worlds, ({ definitions, facts }) => {
        for (const given of definitions.streaks) {
          const streak: Streak = { ...given, active: true, createdAt: NOON + 5 * HOUR };
          const whole = newcomer({ streaks: new Map([[streak.id, { ...NO_STREAK, isWhole: true }]]) });
          for (const { fact, before, after } of simulate(whole, onlyStreak(definitions, streak), facts)) {
            // The start of a period is no event to explain.
            if (fact.kind === "streakPeriod") continue;
            const verdict = fact.kind === "event" ? explainStreak(before, definitions, streak, fact, WORDS) : null;
            const isMoved = before.streaks.get(streak.id) !== after.streaks.get(streak.id);
            expect(verdict !== null && verdict.reason === null).toBe(isMoved);
            if (isMoved) seen.counted++;
            else if (verdict !== null) seen.refused++;
          }
        }
      }),
      { numRuns: 80 },
    );
    expect(Math.min(seen.counted, seen.refused)).toBeGreaterThan(10);
  });

  test("of leaderboards: an event has a reason exactly if it changes no score", () => {
    const seen = { counted: 0, refused: 0 };
    const boards = worlds.chain((world) =>
      fc
        .record({
          source: fc.constantFrom(
            ...world.definitions.missions.flatMap(({ objectives }) => objectives.flatMap(({ criteria }) => criteria)),
          ),
          measure: fc.constantFrom(
            { kind: "Count" } as const,
            { kind: "Sum", property: "number" } as const,
            { kind: "Max", property: null } as const,
          ),
          period: fc.constantFrom(
            { kind: "AllTime" } as const,
            { kind: "Calendar", every: "Day" } as const,
            { kind: "Season", startsAt: NOON + 4 * HOUR, endsAt: NOON + 30 * HOUR } as const,
          ),
          createdAt: fc.constantFrom(0, NOON + 5 * HOUR),
        })
        .filter(({ source }) => source.source !== "Attribute")
        .map(({ source, ...parts }) => {
          if (source.source === "Attribute") throw new Error("It was filtered out.");
          const board: Leaderboard = leaderboard({ ...parts, definitionId: source.definitionId, where: source.where, settleAfterMs: HOUR });
          return { ...world, board };
        }),
    );
    fc.assert(
      fc.property(boards, ({ definitions, facts, board }) => {
        for (const { fact, after, effects } of simulate(newcomer(), onlyLeaderboard(definitions, board), facts)) {
          if (fact.kind !== "event") continue;
          const reason = explainScore(after, definitions, board, fact, WORDS);
          expect(reason === null).toBe(effects.some(({ kind }) => kind === "scoreChange"));
          if (reason === null) seen.counted++;
          else if (reason !== undefined) seen.refused++;
        }
      }),
      { numRuns: 80 },
    );
    expect(Math.min(seen.counted, seen.refused)).toBeGreaterThan(10);
  });
});
