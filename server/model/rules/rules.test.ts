import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decimal } from "../kernel/decimal.ts";
import type { Properties, Scalar, ScalarType } from "../kernel/values.ts";
import { canonicalCondition, checkCondition, type ConditionShape, conditionPhrase } from "./condition.ts";
import { canonicalFilter, compileFilter, compiledFilterPhrase, type FilterShape, filterReason, passes } from "./filter.ts";
import { fileSentence } from "./file-words.ts";
import { MEASURES } from "./measure.ts";
import { canonicalObjective, checkObjective, compileObjective, isMet, objectivePhrase, type ObjectiveShape } from "./objective.ts";
import { OPERATORS, takesList } from "./operator.ts";
import { textOf } from "./phrase.ts";
import type { CheckScope, DescribeScope, Sources } from "./scope.ts";
import { extentOf, leaves, leavesOf } from "./tree.ts";
import { WEEKDAYS } from "./when.ts";

/** Properties of every type, by the names of their types. */
const TYPES: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];
const PROPERTIES = new Map<string, ScalarType>(TYPES.map((type) => [type.toLowerCase(), type]));

const SCOPE: CheckScope & DescribeScope = {
  has: (_, key) => key !== "gone",
  attributeType: (key) => PROPERTIES.get(key),
  propertiesOf: (_, key) => (key === "gone" ? undefined : PROPERTIES),
  propertyType: (_, property) => PROPERTIES.get(property),
  itemType: () => "Number",
  closest: () => null,
  closestProperty: () => null,
  nameOf: (_, key) => key,
  timeZone: "Europe/Brussels",
};

const SOURCES: Sources = {
  events: new Map([["order", { id: 1, properties: new Map([...PROPERTIES].map(([key, type]) => [key, { type }])) }]]),
  metrics: new Map(),
  attributes: new Map([...PROPERTIES].map(([key, type]) => [key, { id: 2, type }])),
};

/** Valid or not: tests that need valid rules discard what the check refuses. */
const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom("tea", "latte", "", "a, b"),
  fc.boolean(),
  fc.constantFrom("2026-01-01T10:00:00+01:00", "2026-01-02T00:00:00.000Z"),
  fc.constant(Decimal.parse("12345678901234567890.50")!),
);
const comparison = fc
  .constantFrom(...OPERATORS)
  .chain((operator) =>
    fc.record({ operator: fc.constant(operator), value: takesList(operator) ? fc.array(scalar, { minLength: 1, maxLength: 3 }) : scalar }),
  );
const named = fc.constantFrom(...PROPERTIES.keys());

const treeOf = <Leaf>(leaf: fc.Arbitrary<Leaf>, wrap: (group: object) => object = (group) => group) =>
  fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((all) => wrap({ all })),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }).map((any) => wrap({ any })),
      tie("tree").map((not) => wrap({ not })),
    ),
  })).tree;

const when = fc
  .record({
    weekdays: fc.option(fc.subarray([...WEEKDAYS], { minLength: 1 })),
    from: fc.constantFrom(null, "07:30", "22:00"),
    until: fc.constantFrom(null, "00:00", "12:00"),
  })
  .filter(({ weekdays, from, until }) => weekdays !== null || from !== null || until !== null)
  .map((times) => ({ when: times }));
const filter = treeOf(
  fc.oneof(
    fc.tuple(named, comparison).map(([property, compared]) => ({ property, ...compared })),
    when,
  ),
) as fc.Arbitrary<FilterShape>;
const measure = fc
  .tuple(fc.constantFrom(...MEASURES), named)
  .map(([kind, property]) => (kind === "Count" || kind === "DistinctDays" ? { kind } : { kind, property }));
const objective = treeOf(
  fc.oneof(
    fc.tuple(measure, fc.option(filter), comparison).map(([taken, where, { operator, value }]) => ({
      description: null,
      event: "order",
      where,
      measure: taken,
      operator,
      target: value,
    })),
    fc.tuple(named, comparison).map(([attribute, { operator, value }]) => ({ description: null, attribute, operator, target: value })),
  ),
  (group) => ({ description: null, ...group }),
) as fc.Arbitrary<ObjectiveShape>;
const condition = treeOf(
  fc.oneof(
    fc.constantFrom({ segment: "vip" }, { missionCompleted: "first" }),
    fc.tuple(named, comparison).map(([attribute, compared]) => ({ attribute, ...compared })),
    comparison.map((compared) => ({ points: "Balance", ...compared })),
    comparison.map((compared) => ({ streak: "daily", ...compared })),
    fc.record({ share: fc.constantFrom(0, 0.01, 12.5, 100), salt: fc.constantFrom(null, "spring") }),
    fc
      .tuple(measure, fc.option(filter), comparison)
      .map(([taken, where, compared]) => ({ event: "order", where, measure: taken, lastDays: 7, ...compared })),
  ),
) as fc.Arbitrary<ConditionShape>;

const typeOf = (property: string): ScalarType => PROPERTIES.get(property)!;
const event = fc.record({
  properties: fc.dictionary(named, scalar) as fc.Arbitrary<Properties>,
  occurredAt: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
});
const ZONE = "Europe/Brussels";
const isSound = (one: ObjectiveShape): boolean =>
  leavesOf<ObjectiveShape>([one], []).every((leaf) => checkObjective(leaf, SCOPE).length === 0);

describe("a filter", () => {
  test("a double negation passes the same", () =>
    fc.assert(
      fc.property(filter, event, (one, given) => {
        const compiled = compileFilter(one, typeOf);
        expect(passes({ not: { not: compiled } }, given, ZONE)).toBe(passes(compiled, given, ZONE));
        expect(passes({ not: compiled }, given, ZONE)).toBe(!passes(compiled, given, ZONE));
      }),
    ));

  test("has one form: normalising it twice changes nothing", () =>
    fc.assert(
      fc.property(filter, (one) => {
        const kept = canonicalFilter(one, typeOf);
        expect(canonicalFilter(kept, typeOf)).toEqual(kept);
      }),
    ));

  test("that rejects properties gives the reason", () =>
    fc.assert(
      fc.property(filter, event, (one, given) => {
        const compiled = compileFilter(one, typeOf);
        expect(textOf(compiledFilterPhrase(compiled, "UTC"))).not.toBe("");
        if (!passes(compiled, given, ZONE)) expect(filterReason(compiled, given, ZONE, "UTC")).not.toBe("");
      }),
    ));
});

describe("an objective", () => {
  test("a double negation is met in the same cases", () =>
    fc.assert(
      fc.property(objective, fc.array(fc.option(scalar), { maxLength: 20 }), (one, values) => {
        const readings = values.map((value) => ({ value }));
        const twice = compileObjective({ description: null, not: { description: null, not: one } }, "twice", SOURCES);
        expect(isMet(twice, readings)).toBe(isMet(compileObjective(one, "once", SOURCES), readings));
      }),
    ));

  test("has one form, and its description stays in place", () =>
    fc.assert(
      fc.property(objective, (one) => {
        const kept = canonicalObjective(one, SCOPE);
        expect(canonicalObjective(kept, SCOPE)).toEqual(kept);
        expect(Object.keys(kept)).toEqual(Object.keys(one));
      }),
    ));

  test("reads as a sentence if it passes the check, and has words for its problem otherwise", () =>
    fc.assert(
      fc.property(objective, (one) => {
        if (isSound(one)) expect(textOf(objectivePhrase(one, SCOPE))).not.toMatch(/undefined|…/);
        for (const leaf of leavesOf<ObjectiveShape>([one], []))
          for (const finding of checkObjective(leaf, SCOPE)) expect(fileSentence(finding)).not.toMatch(/undefined/);
      }),
    ));
});

describe("a condition", () => {
  test("has one form, and reads as a sentence if it passes the check", () =>
    fc.assert(
      fc.property(condition, (one) => {
        const kept = canonicalCondition(one, SCOPE);
        expect(canonicalCondition(kept, SCOPE)).toEqual(kept);
        if (checkCondition(one, [], SCOPE).length === 0) expect(textOf(conditionPhrase(one, SCOPE))).not.toMatch(/undefined|…/);
      }),
    ));

  test("has the number of leaves and the depth that its extent reports", () =>
    fc.assert(
      fc.property(condition, (one) => {
        const { parts, depth } = extentOf<ConditionShape>(one, () => ({ parts: 1, depth: 1 }));
        expect(leaves(one).length).toBeLessThanOrEqual(parts);
        expect(depth).toBeLessThanOrEqual(parts);
      }),
    ));

  test("reports unknown references", () => {
    const findings = checkCondition(
      {
        all: [
          { segment: "gone" },
          { not: { event: "gone", where: null, measure: { kind: "Count" }, operator: "EqualTo", value: 1, lastDays: null } },
        ],
      },
      ["rule"],
      SCOPE,
    );
    expect(findings).toEqual([
      {
        code: "definition.reference_unknown",
        params: { kind: "segments", key: "gone", suggestion: null },
        path: ["rule", "all", 0, "segment"],
      },
      {
        code: "definition.reference_unknown",
        params: { kind: "events", key: "gone", suggestion: null },
        path: ["rule", "all", 1, "not", "event"],
      },
    ]);
  });
});
