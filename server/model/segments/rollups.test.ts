import { expect, test } from "vitest";
import { NOON, order, ORDER } from "../missions/testing.ts";
import { atOnce } from "../kernel/steps.ts";
import { advanceCounter, measureReason } from "../rules/measure.ts";
import { inputValueIn, MARK, rollupOf } from "./rollups.ts";

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

test.each([
  ["Max", 7],
  ["Min", 6],
  ["Latest", 6],
  ["Sum", 13],
] as const)("%s reads values of the property's type only: an earlier property of its key may have had another", (kind, reading) => {
  const rollup = { id: 1, eventId: ORDER, where: null, measure: { kind, property: "amount" }, type: "Number", isDaily: false } as const;
  const facts = ["9.50", 7, 6, true].map((amount, at) => order(at + 1, { occurredAt: NOON, properties: { amount } }));
  expect(atOnce(rollupOf(rollup, facts, "UTC")).get(MARK)).toMatchObject({ value: reading });
  // A reading that was stored of such a value gives way.
  expect(advanceCounter({ value: "9.50", at: NOON + 1 }, rollup, facts[2]!, () => true)).toMatchObject({ value: 6 });
});

test("different values are those of the property's type: an earlier property of its key may have had another", () => {
  const measure = { kind: "DistinctCount", property: "amount", of: "Number" } as const;
  const rollup = { id: 1, eventId: ORDER, where: null, measure, type: "Number", isDaily: false } as const;
  const facts = ["9.50", 7, true, 6, 7].map((amount, at) => order(at + 1, { occurredAt: NOON, properties: { amount } }));
  const state = atOnce(rollupOf(rollup, facts, "UTC"));
  expect(inputValueIn({ rollup, lastDays: null }, state, NOON, "UTC")).toBe(2);
  expect(measureReason(rollup, { value: 2 }, facts[0]!, "UTC")).toBe("amount is of another type");
});
