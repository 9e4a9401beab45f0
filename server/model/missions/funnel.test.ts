import fc from "fast-check";
import { expect, test } from "vitest";
import type { Definitions } from "../definitions/compiled.ts";
import { advance } from "../../engine/advance.ts";
import { accept, definitionsWith, entry, mission, newcomer, NOON, objective, order } from "./testing.ts";
import type { Fact } from "../kernel/facts.ts";
import { type FunnelMove, stepsBetween } from "./funnel.ts";

const HOUR = 3_600_000;

const definitions = definitionsWith([
  mission({
    id: 7,
    optIn: "Manual",
    objectives: [
      { ...objective({ target: 1 }), id: "first" },
      { ...objective({ target: 2 }), id: "second" },
    ],
  }),
]);

const SLICES: Fact[][] = [[entry(1, { missionId: 7 })], [accept(2, { missionId: 7 })], [order(3)], [order(4)]];

/** The steps of a player to whom facts are applied in these slices, and how they moved in the funnel. `of`: the definitions of a slice. */
function playedIn(slices: readonly (readonly Fact[])[], of = (_slice: number) => definitions): { steps: string[]; moves: FunnelMove[] } {
  let player = newcomer();
  const moves: FunnelMove[] = [];
  const steps = slices.flatMap((facts, slice) => {
    const { player: after, effects } = advance(player, of(slice), facts);
    const completions = effects.filter((effect) => effect.kind === "completion");
    const between = stepsBetween(of(slice).missionsById, player.missions, after.missions, completions, NOON);
    player = after;
    moves.push(...between.moves);
    return between.steps.map(({ missionId, step }) => `${missionId} ${step}`);
  });
  return { steps, moves };
}

/** The final count of each stage, by its name. */
function standing(moves: readonly FunnelMove[]): Record<string, number> {
  const at: Record<string, number> = {};
  for (const { stage, objective: id = "", by } of moves) {
    const name = `${stage} ${id}`.trim();
    at[name] = (at[name] ?? 0) + by;
  }
  return at;
}

const ALL = ["7 entered", "7 accepted", "7 progressed"];
const WHOLE = { player: 1, entered: 1, accepted: 1, progressed: 1, completed: 1, "objective first": 1, "objective second": 1 };

test.each([
  ["one fact at a time", SLICES],
  ["in two slices", [SLICES.slice(0, 2).flat(), SLICES.slice(2).flat()]],
  ["all together, so that nothing of it is in the state", [SLICES.flat()]],
])("each step of a mission is counted once: %s", (_, slices) => {
  const { steps, moves } = playedIn(slices);
  expect(steps).toEqual(ALL);
  expect(standing(moves)).toEqual(WHOLE);
});

test("a fact without effect is no step", () => {
  const { steps, moves } = playedIn([...SLICES, [order(5)]]);
  expect([steps, standing(moves)]).toEqual([ALL, WHOLE]);
  expect(playedIn([[order(1)]])).toEqual({ steps: [], moves: [] });
});

/** A sum that goes up and down again, a count, and one that repeats, by opt-in or not. */
const VARIED = definitionsWith([
  mission({
    id: 7,
    objectives: [{ ...objective({ measure: { kind: "Sum", property: "amount" }, target: 50 }), id: "sum" }],
  }),
  mission({
    id: 8,
    optIn: "Manual",
    recurrence: { kind: "AfterCompletion", cooldownMs: 0, maxOccurrences: null },
    objectives: [
      { ...objective({ target: 1 }), id: "one" },
      { ...objective({ target: 3 }), id: "three" },
    ],
  }),
]);

test("a funnel never rises, for any facts and slices", () => {
  const fact = fc.oneof(
    fc.record({ kind: fc.constant("order" as const), amount: fc.integer({ min: -20, max: 20 }) }),
    fc.record({ kind: fc.constantFrom("entry" as const, "accept" as const), missionId: fc.constantFrom(7, 8) }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(fact, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 15 }), (slices) => {
      let seq = 0;
      const facts = slices.map((slice) =>
        slice.map((one): Fact => {
          seq += 1;
          if (one.kind === "order") return order(seq, { properties: { amount: one.amount } });
          return one.kind === "entry" ? entry(seq, one) : accept(seq, one);
        }),
      );
      const { moves } = playedIn(facts, () => VARIED);
      for (const missionId of [7, 8]) {
        const own = standing(moves.filter((move) => move.missionId === missionId));
        const stages = ["entered", "accepted", "progressed", "completed"].map((stage) => own[stage] ?? 0);
        for (const [at, count] of stages.entries()) expect(count, `${missionId} ${stages}`).toBeLessThanOrEqual(stages[at - 1] ?? Infinity);
        for (const [name, count] of Object.entries(own)) {
          expect(count).toBeGreaterThanOrEqual(0);
          if (name.startsWith("objective")) expect(count).toBeLessThanOrEqual(own["accepted"] ?? 0);
        }
        expect(own["player"] ?? 0).toBe(Math.min(own["entered"] ?? 0, 1));
      }
    }),
    { numRuns: 500 },
  );
});

test("after a change of the project's zone two occurrences of one number are two offers", () => {
  // Created on 9 March in London, and on the 10th in Kathmandu.
  const daily = mission({
    id: 7,
    createdAt: NOON - 14 * HOUR,
    recurrence: { kind: "Calendar", every: "Day" },
    objectives: [{ ...objective({ target: 2 }), id: "two" }],
  });
  const [before, after] = ["Europe/London", "Asia/Kathmandu"].map((zone) => definitionsWith([daily], zone)) as [Definitions, Definitions];
  const nextDay = NOON + 20 * HOUR;
  const slices = [
    [entry(1, { missionId: 7 }), order(2)],
    [entry(3, { missionId: 7, receivedAt: nextDay })],
    [order(4, { occurredAt: nextDay, receivedAt: nextDay })],
    // A late event completes the first.
    [order(5, { receivedAt: nextDay + 1 })],
  ];
  const { steps, moves } = playedIn(slices, (slice) => (slice === 0 ? before : after));
  expect(steps).toEqual([...ALL, ...ALL]);
  expect(standing(moves)).toEqual({ player: 1, entered: 2, accepted: 2, progressed: 2, completed: 1, "objective two": 1 });
});
