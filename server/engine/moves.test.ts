import fc from "fast-check";
import { expect, test } from "vitest";
import type { Definitions, Mission } from "../model/definitions/compiled.ts";
import { advance } from "./advance.ts";
import { movesOf, writeMoves } from "./moves.ts";
import { newcomer } from "../model/missions/testing.ts";
import { decodeMoved, type Moved } from "./moved.ts";
import type { Effect } from "../model/rules/effects.ts";
import type { Fact } from "../model/kernel/facts.ts";
import { writeJson } from "../model/kernel/json.ts";
import type { Player, StreakState } from "../model/kernel/player.ts";
import { leaderboard } from "../model/leaderboards/testing.ts";
import { leaderboardLookups } from "../model/leaderboards/lookups.ts";
import { entriesOf, entriesToMake } from "../model/missions/feed.ts";
import { NO_STREAK } from "../model/streaks/advance.ts";
import { asTried, forEverybody, onlyMission } from "../authoring/simulation/narrowed.ts";
import { worlds } from "../authoring/simulation/testing.ts";

const ofKind = <Kind extends Effect["kind"]>(effects: readonly Effect[], kind: Kind) =>
  effects.filter((effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === kind);

/** Every reading of a player, by mission, occurrence, objective and criterion, and by streak and period. */
function readingsOf({ missions, streaks }: Player): Map<string, unknown> {
  const readings = new Map<string, unknown>();
  for (const partition of missions.values())
    for (const [id, { live }] of partition)
      for (const { number, objectives } of live)
        for (const [index, { counters }] of objectives.entries())
          for (const [at, { value }] of counters.entries()) readings.set(`${id} ${number} ${index} ${at}`, value);
  for (const [id, { periods }] of streaks) for (const [start, { counter }] of periods) readings.set(`${id} ${start}`, counter.value);
  return readings;
}

/** The definitions with every mission and streak switched on, for all players, and with a board over points and one over events. */
function allOn(given: Definitions): Definitions {
  const missions = given.missions.map((mission) => ({ ...forEverybody(asTried(mission, 0)), window: { startsAt: null, endsAt: null } }));
  const streaks = given.streaks.map((streak) => asTried(streak, 0));
  const alone = missions.map((mission) => onlyMission(given, mission));
  const grouped = (lists: readonly ReadonlyMap<number, readonly Mission[]>[]) => {
    const pairs = lists.flatMap((list) => [...list].flatMap(([id, own]) => own.map((mission) => ({ id, mission }))));
    return new Map([...Map.groupBy(pairs, ({ id }) => id)].map(([id, own]) => [id, own.map(({ mission }) => mission)]));
  };
  return {
    ...given,
    missions,
    missionsById: new Map(missions.map((mission) => [mission.id, mission])),
    missionsByEvent: grouped(alone.map(({ missionsByEvent }) => missionsByEvent)),
    missionsByAttribute: grouped(alone.map(({ missionsByAttribute }) => missionsByAttribute)),
    streaks,
    streaksByEvent: Map.groupBy(streaks, ({ criterion }) => criterion.definitionId),
    ...leaderboardLookups([
      leaderboard({ id: -1, scoreSource: "Points", definitionId: null, measure: null, createdAt: 0 }),
      leaderboard({ id: -2, definitionId: [...given.eventsById.keys()][0]!, createdAt: 0 }),
    ]),
  };
}

const sorted = (move: object): object => Object.fromEntries(Object.entries(move).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const whole = (definitions: Definitions): ReadonlyMap<number, StreakState> =>
  new Map(definitions.streaks.map(({ id }) => [id, { ...NO_STREAK, isWhole: true }]));

test("the recorded effects of an event are those of its fold: completions, readings, scores and rewards, for any definitions and events", () => {
  const seen = { completions: 0, readings: 0, streaks: 0, scores: 0, rewards: 0 };
  fc.assert(
    fc.property(worlds, fc.integer({ min: 1, max: 5 }), ({ definitions: given, facts }, atOnce) => {
      const definitions = allOn(given);
      const { missions } = definitions;
      let player = newcomer({ streaks: whole(definitions) });
      for (let first = 0; first < facts.length; first += atOnce) {
        const slice: Fact[] = facts.slice(first, first + atOnce).map((fact) => ({ ...fact, isRecorded: fact.kind === "event" }));
        const { seq, receivedAt } = slice[0]!;
        // Entries by a mission read before the slice are not caused by its events.
        const entries = entriesToMake(entriesOf(player, definitions, missions, receivedAt), seq - 0.5, receivedAt);
        player = advance(player, definitions, entries).player;
        const recorded: { before: Player; after: Player; effects: readonly Effect[] }[] = [];
        const onRecorded = (_: Fact, before: Player, after: Player, effects: readonly Effect[]) =>
          void recorded.push({ before, after, effects });
        const folded = advance(player, definitions, slice, { onRecorded });
        expect(recorded).toHaveLength(slice.filter(({ kind }) => kind === "event").length);
        for (const { before, after, effects } of recorded) check(definitions, before, after, effects);
        player = folded.player;
      }
    }),
    { numRuns: 150, endOnFailure: true },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);

  function check(definitions: Definitions, before: Player, after: Player, effects: readonly Effect[]): void {
    const made = movesOf(definitions, before, after, effects);
    const moved = decodeMoved(writeMoves(made));
    expect(writeJson(moved.missions.map(sorted))).toBe(writeJson(made.missions.map(sorted)));
    expect(writeJson(moved.streaks.map(sorted))).toBe(writeJson(made.streaks.map(sorted)));
    const completed = ofKind(effects, "completion");
    expect(moved.missions.filter((one) => one.isCompleted).map(({ id, number }) => [id, number])).toEqual(
      completed.map(({ missionId, occurrenceNumber }) => [missionId, occurrenceNumber]),
    );
    expect(moved.leaderboards.map(({ id, change }) => writeJson([id, change]))).toEqual(
      ofKind(effects, "scoreChange").map(({ leaderboardId, change: { by, value } }) => writeJson([leaderboardId, { by, value }])),
    );
    const rewards = [...ofKind(effects, "grant"), ...ofKind(effects, "owedItem")];
    expect(moved.rewards.length).toBe(rewards.length);
    expect(moved.streaks.flatMap(({ id, milestones }) => milestones.map((milestone) => [id, milestone]))).toEqual(
      ofKind(effects, "milestone").map(({ streakId, milestone }) => [streakId, milestone]),
    );
    // Readings that differ are recorded with both values; unchanged readings are not.
    const [was, is] = [readingsOf(before), readingsOf(after)];
    const movedReadings = new Map<string, unknown>();
    for (const { id, number, isCompleted, begins, moved: objectives } of moved.missions)
      for (const { index, readings } of objectives)
        if (!isCompleted && begins === null)
          movedReadings.set(
            `${id} ${number} ${index}`,
            readings.map((one) => [one.was, one.is]),
          );
    for (const [name, value] of is) {
      const earlier = was.get(name);
      if (earlier === undefined || writeJson(earlier) === writeJson(value)) continue;
      const [id, ...rest] = name.split(" ");
      if (rest.length === 1) {
        const move = moved.streaks.find((one) => String(one.id) === id && one.period === rest[0]);
        expect(writeJson([move?.was, move?.is])).toBe(writeJson([earlier, value]));
        seen.streaks++;
      } else {
        const readings = movedReadings.get(`${id} ${rest[0]} ${rest[1]}`) as unknown[];
        expect(readings.map(writeJson)).toContain(writeJson([earlier, value]));
        seen.readings++;
      }
    }
    for (const { id, period, is: value } of moved.streaks) expect(writeJson(is.get(`${id} ${period}`))).toBe(writeJson(value));
    seen.completions += completed.length;
    seen.scores += moved.leaderboards.length;
    seen.rewards += rewards.length;
  }
});

test("the recorded moves of an event are bounded: the first are kept, and the others are counted", () => {
  const mission = (id: number): Moved["missions"][number] => ({
    ...{ id, key: `mission-${id}`, recurrence: { kind: "None" }, number: 0, period: null, begins: null, isCompleted: false, objectives: 1 },
    moved: [
      {
        index: 0,
        isDone: false,
        readings: [{ type: "String", operator: "EqualTo", target: `${id}${"x".repeat(300)}`, was: null, is: "y" }],
      },
    ],
  });
  const missions = Array.from({ length: 1_000 }, (_, id) => mission(id));
  const text = writeMoves({ missions, streaks: [], leaderboards: [], rewards: [], rollups: 0, leftOut: 0 });
  expect(text.length).toBeLessThanOrEqual(16 * 1024);
  const kept = decodeMoved(text);
  expect(kept.missions.length + kept.leftOut).toBe(1_000);
  expect(kept.missions.length).toBeGreaterThan(0);
});
