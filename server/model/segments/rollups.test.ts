import { expect, test } from "vitest";
import { NOON, order, ORDER } from "../missions/testing.ts";
import { MARK, rollupOf } from "./rollups.ts";

test("a rollup of a long history is made in steps, between which other requests are served", () => {
  const rollup = { id: 1, eventId: ORDER, where: null, measure: { kind: "Count" }, type: "Number", isDaily: false } as const;
  const facts = Array.from({ length: 1_000 }, (_, at) => order(at + 1, { occurredAt: NOON }));
  const steps = rollupOf(rollup, facts, "UTC");
  let taken = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) taken++;
  expect(taken).toBe(facts.length);
  expect(step.value).toEqual(new Map([[MARK, { value: 1_000 }]]));
});
