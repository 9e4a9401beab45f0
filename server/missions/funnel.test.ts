import { expect, test } from "vitest";
import { advance } from "../engine/advance.ts";
import { accept, definitionsWith, entry, mission, newcomer, NOON, objective, order } from "../engine/examples.ts";
import type { Fact } from "../kernel/facts.ts";
import { stepsBetween } from "./funnel.ts";

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

/** The steps of a player to whom facts are applied in these slices. */
function stepsOf(slices: readonly (readonly Fact[])[]): string[] {
  let player = newcomer();
  return slices.flatMap((facts) => {
    const { player: after, effects } = advance(player, definitions, facts);
    const completions = effects.filter((effect) => effect.kind === "completion");
    const steps = stepsBetween(definitions.missionsById, player.missions, after.missions, completions, NOON);
    player = after;
    return steps.map(({ missionId, step, objective: id }) => [missionId, step, ...(id === undefined ? [] : [id])].join(" "));
  });
}

const ALL = ["7 entered", "7 accepted", "7 progressed", "7 objective first", "7 objective second"];

test.each([
  ["one fact at a time", SLICES],
  ["in two slices", [SLICES.slice(0, 2).flat(), SLICES.slice(2).flat()]],
  ["all at once, so that nothing of it is in the state", [SLICES.flat()]],
])("each step of a mission is told once: %s", (_, slices) => {
  expect(stepsOf(slices)).toEqual(ALL);
});

test("what moves nothing is no step", () => {
  expect(stepsOf([...SLICES, [order(5)]])).toEqual(ALL);
  expect(stepsOf([[order(1)]])).toEqual([]);
});
