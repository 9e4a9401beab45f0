import { expect, test } from "vitest";
import type { Condition } from "../rules/condition.ts";
import { exposureOf, mayTakePart, partOfExposed } from "./exposure.ts";

const share = (parts: number, salt = "a"): Condition => ({ kind: "share", parts, salt });
const other: Condition = { kind: "missionCompleted", missionId: 1 };

test.each<[string, Condition | null, number | null]>([
  ["none", null, null],
  ["no share", other, null],
  ["alone", share(2_500), 0.25],
  ["beside other conditions", { all: [other, { all: [share(2_500)] }] }, 0.25],
  ["negated", { all: [other, { not: share(2_500) }] }, 0.75],
  ["negated twice", { not: { not: share(2_500) } }, 0.25],
  ["one way in among others", { any: [share(2_500), other] }, null],
  ["within a negated group", { not: { all: [share(2_500), other] } }, null],
  ["two different ones", { all: [share(2_500), share(5_000, "b")] }, null],
  ["the same twice", { all: [share(2_500), share(2_500)] }, 0.25],
])("a share %s", (_, rule, part) => {
  const exposure = exposureOf(rule);
  expect(exposure === null ? null : partOfExposed(exposure)).toBe(part);
});

test("players outside a share may take part where it is negated", () => {
  const [inside, outside] = [exposureOf(share(5_000))!, exposureOf({ not: share(5_000) })!];
  for (const id of ["ann", "bob", "cem", "dia"]) expect(mayTakePart(id, inside)).toBe(!mayTakePart(id, outside));
});
