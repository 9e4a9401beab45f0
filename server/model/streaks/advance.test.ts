import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Streak } from "./definition.ts";
import { advance } from "../../engine/advance.ts";
import { criterion, definitionsWith, newcomer, NOON, order, ORDER } from "../missions/testing.ts";
import type { Effect } from "../rules/effects.ts";
import type { EventFact, WaitingFact } from "../kernel/facts.ts";
import type { Player, Run, StreakState } from "../kernel/player.ts";
import { formatInstant } from "../kernel/time.ts";
import type { EventCriterion } from "../rules/measured.ts";
import { staysQualified } from "./advance.ts";
import { fallsInto, lackingStreaks, statesBefore, streakStates } from "./loading.ts";
import { streakRow } from "./rows.ts";
import { runsOf } from "./runs.ts";

const DAY = 24 * 3_600_000;

const daily = (parts: Partial<Streak> = {}): Streak => ({
  id: 20,
  key: "daily",
  active: true,
  createdAt: 0,
  name: { default: "en", texts: { en: "Daily" } },
  description: null,
  images: {},
  criterion: criterion({ definitionId: ORDER }),
  cadence: "Day",
  freezes: null,
  milestones: [],
  ...parts,
});

const shape = (all: readonly Run[]) => all.map(({ first, last, length, freezes }) => ({ first, last, length, freezes }));

/** Folds slices of facts as the engine does: with as much of each streak's stored state as the facts need. */
function play(
  streak: Streak,
  slices: readonly (readonly WaitingFact[])[],
  zone = "UTC",
  player = newcomer(),
): { player: Player; effects: Effect[] } {
  const definitions = definitionsWith([], zone, [], [streak]);
  let stored: StreakState = player.streaks.get(streak.id) ?? { runs: [], periods: new Map(), isWhole: true };
  const effects: Effect[] = [];
  for (const facts of slices) {
    const { playerId } = player;
    const streakId = streak.id;
    const falls = fallsInto(definitions, facts, zone);
    const wanted = falls.flatMap(({ starts }) => starts.map((start) => ({ playerId, streakId, start })));
    const before = wanted.map(({ start }) => ({ run: stored.runs.at(-1) ?? null, period: stored.periods.get(start) ?? null }));
    const inTime = statesBefore(wanted, before).get(playerId) ?? new Map<number, StreakState>();
    const isWhole = lackingStreaks({ ...player, streaks: inTime }, definitions, facts, falls).length > 0;
    const runs = stored.runs.map((run) => ({ playerId, streakId, ...run }));
    const periods = [...stored.periods].map(([start, period]) => ({ playerId, streakId, start, period }));
    const streaks = isWhole ? streakStates([{ playerId, streakId }], runs, periods).get(playerId)! : inTime;
    const advanced = advance({ ...player, streaks }, definitions, facts);
    effects.push(...advanced.effects);
    const after = advanced.player.streaks.get(streak.id);
    if (after === undefined) continue;
    stored = {
      isWhole: true,
      runs: isWhole ? after.runs : [...stored.runs.slice(0, -1), ...after.runs],
      periods: new Map([...stored.periods, ...after.periods]),
    };
  }
  return { player: { ...player, streaks: new Map([[streak.id, stored]]) }, effects };
}

const onDay = (day: number, seq: number): EventFact => order(seq, { occurredAt: NOON + day * DAY, receivedAt: NOON + 100 * DAY + seq });
const dateOf = (day: number): string => formatInstant(NOON + day * DAY).slice(0, 10);
const runs = (player: Player) => player.streaks.get(20)?.runs ?? [];
const milestones = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "milestone" ? [`${effect.runId}/${effect.milestone}`] : []));

describe("a run", () => {
  test("is as long as its qualified periods, and ends with a missed one", () => {
    const { player } = play(daily(), [[0, 1, 2, 4, 5].map(onDay)]);
    expect(runs(player).map(({ first, last, length }) => [first, last, length])).toEqual([
      [dateOf(0), dateOf(2), 3],
      [dateOf(4), dateOf(5), 2],
    ]);
  });

  test("joined by a late event keeps the older id and the rewards paid to either", () => {
    const streak = daily({ milestones: [2, 3, 7].map((length) => ({ length, rewards: [{ kind: "Points" as const, points: length }] })) });
    const before = play(streak, [[0, 1, 2, 4, 5, 6].map(onDay)]);
    const after = play(streak, [[0, 1, 2, 4, 5, 6].map(onDay), [onDay(3, 9)]]);
    expect(runs(after.player)).toEqual([{ origin: dateOf(0), first: dateOf(0), last: dateOf(6), length: 7, freezes: 0, paid: [2, 3, 7] }]);
    expect(milestones(after.effects).length - milestones(before.effects).length).toBe(1);
  });

  test("earns a freeze every few periods, and spends it on a missed one without growing", () => {
    const streak = daily({ freezes: { max: 1, earnEvery: 3 } });
    expect(runs(play(streak, [[0, 1, 2, 4].map(onDay)]).player)).toMatchObject([{ length: 4, freezes: 0 }]);
    expect(runs(play(streak, [[0, 1, 2, 5].map(onDay)]).player)).toMatchObject([{ length: 3, freezes: 1 }, { length: 1 }]);
    expect(runs(play(streak, [[0, 1, 2, 3, 4, 5].map(onDay)]).player)).toMatchObject([{ length: 6, freezes: 1 }]);
  });

  test("shows when it ends, including its freezes, and is over then", () => {
    const streak = daily({ freezes: { max: 2, earnEvery: 2 } });
    const latest = runs(play(streak, [[0, 1, 2, 3].map(onDay)]).player).at(-1)!;
    const at = (day: number) => streakRow(streak, { runs: [latest], longest: 4, isQualified: day === 3 }, NOON + day * DAY, "UTC", null);
    expect(at(3)).toMatchObject({
      currentLength: 4,
      freezesAvailable: 2,
      isQualifiedThisPeriod: true,
      endsAtUtc: `${dateOf(7)}T00:00:00.000Z`,
    });
    expect(at(6)).toMatchObject({
      currentLength: 4,
      freezesAvailable: 0,
      isQualifiedThisPeriod: false,
      endsAtUtc: `${dateOf(7)}T00:00:00.000Z`,
    });
    expect(at(7)).toMatchObject({ currentLength: 0, longestLength: 4, startedAtUtc: null, endsAtUtc: null, freezesAvailable: 0 });
  });
});

test("counts nothing that was received before its creation", () => {
  const streak = daily({ createdAt: NOON + 100 * DAY + 2 });
  expect(runs(play(streak, [[onDay(0, 1), onDay(1, 2), onDay(2, 3)]]).player)).toMatchObject([{ first: dateOf(1), length: 2 }]);
});

test("an edit keeps the past: qualified periods stay, and no day counts twice", () => {
  const raised = daily({ criterion: criterion({ definitionId: ORDER, target: 2 }) });
  const first = play(daily(), [[0, 1, 2].map(onDay)]);
  const { player } = play(
    raised,
    [
      [onDay(2, 4), onDay(2, 5), onDay(3, 6)],
      [onDay(3, 7), onDay(0, 8)],
    ],
    "UTC",
    first.player,
  );
  expect(runs(player)).toMatchObject([{ first: dateOf(0), last: dateOf(3), length: 4 }]);
  const lowered = play(daily(), [[onDay(5, 5)]], "UTC", play(raised, [[0, 1, 2, 5].map(onDay)]).player);
  expect(runs(lowered.player)).toMatchObject([{ first: dateOf(5), length: 1 }]);
});

test("an edit keeps the past: lowering the limit of freezes takes none from a player who already has more", () => {
  const { player } = play(daily({ freezes: { max: 3, earnEvery: 2 } }), [[0, 1, 2, 3].map(onDay)]);
  const lowered = play(daily({ freezes: { max: 1, earnEvery: 2 } }), [[onDay(4, 5)], [onDay(5, 6)]], "UTC", player);
  expect(runs(lowered.player)).toMatchObject([{ length: 6, freezes: 2 }]);
});

test("an edit keeps the past: no later event takes a day back that an edit would not qualify any more", () => {
  const sums = (target: number) => daily({ criterion: criterion({ measure: { kind: "Sum", property: "amount" }, target }) });
  const amountOn = (one: number, seq: number, amount: number) => ({ ...onDay(one, seq), properties: { amount } });
  const { player } = play(sums(10), [[amountOn(0, 1, 10), amountOn(1, 2, 10)]]);
  const after = play(sums(20), [[amountOn(1, 3, 5), amountOn(0, 4, -9), amountOn(2, 5, 20)]], "UTC", player);
  expect(runs(after.player)).toMatchObject([{ first: dateOf(0), length: 3 }]);
  const back = play(sums(20), [[amountOn(2, 6, -1)]], "UTC", after.player);
  expect(runs(back.player)).toMatchObject([{ first: dateOf(0), length: 2 }]);
});

/** What each measure gives for the amounts of a day, which are the facts since the measure was edited. */
const MEASURED: [EventCriterion["measure"], (amounts: readonly number[]) => number][] = [
  [{ kind: "Count" }, ({ length }) => length],
  [{ kind: "DistinctDays" }, ({ length }) => Math.min(length, 1)],
  [{ kind: "Sum", property: "amount" }, (amounts) => amounts.reduce((sum, amount) => sum + amount, 0)],
  [{ kind: "Sum", property: "twice" }, (amounts) => amounts.reduce((sum, amount) => sum + 2 * amount, 0)],
  [{ kind: "Max", property: "amount" }, (amounts) => Math.max(...amounts)],
  [{ kind: "Latest", property: "twice" }, (amounts) => 2 * amounts.at(-1)!],
  [{ kind: "DistinctCount", property: "amount", of: "Number" }, (amounts) => new Set(amounts).size],
  [{ kind: "DistinctCount", property: "half", of: "Number" }, (amounts) => new Set(amounts.map((amount) => amount >> 1)).size],
];

/** The measures that an event with a value may leave as they are. */
const MAY_STAND = new Set(["Max", "DistinctCount", "DistinctDays"]);

test("an edit of the measure keeps qualified days and starts the others again: no counter goes on with another measure", () => {
  const fact = fc.record({ on: fc.integer({ min: 0, max: 5 }), amount: fc.integer({ min: -2, max: 4 }) });
  const slice = fc.record({
    edit: fc.nat(MEASURED.length - 1),
    target: fc.integer({ min: 1, max: 4 }),
    facts: fc.array(fact, { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(slice, { maxLength: 10 }), (slices) => {
      const days = new Map<number, { edit: number; amounts: number[]; isQualified: boolean }>();
      let player = newcomer();
      let seq = 0;
      for (const { edit, target, facts } of slices) {
        const [measure, valueOf] = MEASURED[edit]!;
        const streak = daily({ criterion: criterion({ measure, target }) });
        const slice = facts.map(({ on, amount }) => ({
          ...onDay(on, ++seq),
          properties: { amount, twice: 2 * amount, half: amount >> 1 },
        }));
        player = play(streak, [slice], "UTC", player).player;
        for (const { on, amount } of facts) {
          const before = days.get(on);
          const isSame = before?.edit === edit;
          const isKept = before?.isQualified === true && (!isSame || staysQualified(streak) || valueOf(before.amounts) < target);
          if (isKept) continue;
          const amounts = [...(isSame ? before.amounts : []), amount];
          // A day is judged when its counter moves.
          if (isSame && MAY_STAND.has(measure.kind) && valueOf(before.amounts) === valueOf(amounts)) continue;
          days.set(on, { edit, amounts, isQualified: valueOf(amounts) >= target });
        }
      }
      const qualified = [...days].filter(([, { isQualified }]) => isQualified).map(([on]) => dateOf(on));
      expect(shape(runs(player))).toEqual(shape(runsOf(qualified.sort(), [], daily())));
    }),
    { numRuns: 500 },
  );
});

const day = fc.integer({ min: 0, max: 24 });
const arrivals = fc.array(fc.array(day, { minLength: 1, maxLength: 6 }), { maxLength: 8 });
const rules = fc.record({
  freezes: fc.option(fc.record({ max: fc.integer({ min: 1, max: 3 }), earnEvery: fc.integer({ min: 1, max: 4 }) })),
  target: fc.integer({ min: 1, max: 2 }),
  operator: fc.constantFrom("GreaterThanOrEqualTo" as const, "EqualTo" as const),
});

test("for any order and slicing of events, the runs are those of events in time", () => {
  fc.assert(
    fc.property(arrivals, rules, (slices, { freezes, target, operator }) => {
      const streak = daily({ freezes, criterion: criterion({ definitionId: ORDER, target, operator }) });
      let seq = 0;
      const { player } = play(
        streak,
        slices.map((days) => days.map((one) => onDay(one, ++seq))),
      );
      const counts = new Map<number, number>();
      for (const one of slices.flat()) counts.set(one, (counts.get(one) ?? 0) + 1);
      const qualified = [...counts]
        .filter(([, count]) => (operator === "EqualTo" ? count === target : count >= target))
        .map(([one]) => dateOf(one));
      expect(shape(runs(player))).toEqual(shape(runsOf(qualified.sort(), [], streak)));
    }),
    { numRuns: 500 },
  );
});

/** Few enough days that periods qualify, cease to and qualify again. */
const changes = fc.array(
  fc.array(fc.record({ on: fc.integer({ min: 0, max: 9 }), amount: fc.constantFrom(1, 1, -1) }), { minLength: 1, maxLength: 6 }),
  { maxLength: 12 },
);

test("a milestone is paid once in a run, and every long enough run has been paid", () => {
  const LENGTHS = [1, 2, 3, 5, 8];
  fc.assert(
    fc.property(changes, rules, (slices, { freezes, operator }) => {
      const streak = daily({
        freezes,
        criterion: criterion({ definitionId: ORDER, measure: { kind: "Sum", property: "amount" }, operator, target: 1 }),
        milestones: LENGTHS.map((length) => ({ length, rewards: [{ kind: "Points" as const, points: 1 }] })),
      });
      let seq = 0;
      const facts = slices.map((some) => some.map(({ on, amount }) => ({ ...onDay(on, ++seq), properties: { amount } })));
      const { player, effects } = play(streak, facts);
      const paid = milestones(effects);
      expect(new Set(paid).size).toBe(paid.length);
      expect(effects.filter(({ kind }) => kind === "grant")).toHaveLength(paid.length);
      for (const run of runs(player)) expect(run.paid).toEqual(expect.arrayContaining(LENGTHS.filter((length) => length <= run.length)));
      const sums = Map.groupBy(slices.flat(), ({ on }) => on);
      const qualified = [...sums].filter(([, some]) => {
        const sum = some.reduce((total, { amount }) => total + amount, 0);
        return operator === "EqualTo" ? sum === 1 : sum >= 1;
      });
      expect(shape(runs(player))).toEqual(shape(runsOf(qualified.map(([on]) => dateOf(on)).sort(), [], streak)));
    }),
    { numRuns: 1_000 },
  );
});

describe("an event in a period that has not begun", () => {
  const streak = daily({ milestones: [1, 2, 3].map((length) => ({ length, rewards: [{ kind: "Points" as const, points: length }] })) });
  const ahead = (seq: number, receivedOn: number, day: number) =>
    order(seq, { receivedAt: NOON + receivedOn * DAY, occurredAt: NOON + day * DAY });
  const begins = (day: number, receivedAt = NOON + day * DAY - DAY / 2): WaitingFact => ({
    kind: "streakPeriod",
    streakId: streak.id,
    start: dateOf(day),
    seq: 1_000 + day,
    receivedAt,
  });

  test("is in no run, reaches no milestone, and is due when the period begins", () => {
    const { player, effects } = play(streak, [[ahead(1, 0, 0), ahead(2, 0, 1)]]);
    expect(runs(player).map(({ last, length }) => [last, length])).toEqual([[dateOf(0), 1]]);
    expect(milestones(effects)).toHaveLength(1);
    expect(effects.filter(({ kind }) => kind === "streakBeginning")).toEqual([
      { kind: "streakBeginning", streakId: streak.id, start: dateOf(1), beginsAt: NOON + DAY / 2 },
    ]);
    const begun = play(streak, [[begins(1)]], "UTC", player);
    expect(runs(begun.player).map(({ last, length }) => [last, length])).toEqual([[dateOf(1), 2]]);
    expect(begun.effects.filter(({ kind }) => kind === "grant")).toMatchObject([{ points: 2, at: NOON + DAY / 2 }]);
    expect(play(streak, [[begins(1)]], "UTC", begun.player).effects).toEqual([]);
  });

  test("that ceases to qualify before it begins counts for nothing", () => {
    const sum = { ...streak, criterion: criterion({ measure: { kind: "Sum", property: "amount" }, target: 5 }) };
    const amounts = [ahead(1, 0, 1), ahead(2, 0, 1)].map((fact, at) => ({ ...fact, properties: { amount: at === 0 ? 9 : -9 } }));
    expect(runs(play(sum, [amounts, [begins(1)]]).player)).toEqual([]);
  });

  test("of a player who moved to a zone in which it has not begun is due again when it begins there", () => {
    const { player } = play(streak, [[ahead(2, 0, 1)]]);
    const { player: moved, effects } = play(streak, [[begins(1)]], "America/New_York", player);
    expect([runs(moved), effects]).toEqual([
      [],
      [{ kind: "streakBeginning", streakId: streak.id, start: dateOf(1), beginsAt: NOON + DAY / 2 + 4 * 3_600_000 }],
    ]);
  });

  test("gives the same runs, once the period has begun, as an event in time, and is paid once", () => {
    const event = fc.record({
      day: fc.integer({ min: 0, max: 12 }),
      early: fc.integer({ min: 0, max: 2 }),
      late: fc.integer({ min: 0, max: 4 }),
    });
    const freezes = fc.option(fc.record({ max: fc.integer({ min: 1, max: 2 }), earnEvery: fc.integer({ min: 1, max: 3 }) }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 14 }), freezes, fc.integer({ min: 1, max: 4 }), (events, given, size) => {
        const one = { ...streak, freezes: given };
        const facts = events
          .map(({ day, early, late }) => ({ day, on: Math.max(0, day - early + (early === 0 ? late : 0)) }))
          .sort((a, b) => a.on - b.on)
          .map(({ day, on }, at) => ahead(at + 1, on, day));
        // Begins are folded at random times, some time after they are due.
        let [player, effects, due] = [newcomer(), [] as Effect[], [] as { start: string; beginsAt: number }[]];
        const fold = (slice: readonly WaitingFact[]) => {
          const played = play(one, [slice], "UTC", player);
          player = played.player;
          effects = [...effects, ...played.effects];
          due = [...due, ...played.effects.filter((effect) => effect.kind === "streakBeginning")];
        };
        const begin = (now: number) => {
          const ready = due.filter(({ beginsAt }) => beginsAt <= now);
          due = due.filter(({ beginsAt }) => beginsAt > now);
          for (const { start, beginsAt } of ready) {
            fold([{ kind: "streakPeriod", streakId: one.id, start, seq: 999, receivedAt: Math.max(beginsAt, now - DAY / 4) }]);
          }
        };
        for (let from = 0; from < facts.length; from += size) {
          fold(facts.slice(from, from + size));
          const now = facts[Math.min(from + size, facts.length) - 1]!.receivedAt;
          const current = formatInstant(now).slice(0, 10);
          for (const { last } of runs(player)) expect(last <= current).toBe(true);
          begin(now);
        }
        begin(NOON + 99 * DAY);
        const inTime = [...new Set(events.map(({ day }) => dateOf(day)))].sort();
        expect(shape(runs(player))).toEqual(shape(runsOf(inTime, [], one)));
        expect(new Set(milestones(effects)).size).toBe(milestones(effects).length);
        for (const { length, paid } of runs(player)) {
          expect([1, 2, 3].filter((milestone) => milestone <= length && !paid.includes(milestone))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
