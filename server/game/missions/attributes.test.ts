import fc from "fast-check";
import { expect, test } from "vitest";
import type { Mission } from "../../model/missions/definition.ts";
import { advance } from "../../engine/advance.ts";
import { accept, criterion, definitionsWith, entry, mission, newcomer, NOON, objective, order } from "../../model/missions/testing.ts";
import type { AttributeFact, Fact } from "../../model/kernel/facts.ts";
import type { Scalar } from "../../model/kernel/values.ts";
import type { AttributeCriterion, Criterion, Expression, Objective } from "../../model/rules/objective.ts";
import { holds, type Operator } from "../../model/rules/operator.ts";
import { decodePartition, encodePartition } from "../../model/missions/state.ts";

const [LEVEL, DEBT] = [3, 4];

const attributeCriterion = (definitionId: number, operator: Operator, target: Scalar | Scalar[]): AttributeCriterion => ({
  source: "Attribute",
  definitionId,
  type: "Number",
  operator,
  target,
});
const setTo = (seq: number, attributeId: number, value: Scalar, receivedAt = NOON + seq): AttributeFact => ({
  kind: "attribute",
  seq,
  attributeId,
  value,
  occurredAt: receivedAt,
  receivedAt,
});
const isLimit = ({ progressKind }: Objective) => progressKind === "WithinLimit";

const definitionsOf = (one: Mission) => ({
  ...definitionsWith([one]),
  missionsByAttribute: new Map([LEVEL, DEBT].map((id) => [id, readsOf(one).has(id) ? [one] : []])),
});
const readsOf = (one: Mission): Set<number> => new Set(one.objectives.flatMap(({ criteria }) => criteria.map((leaf) => leaf.definitionId)));

test("an attribute received before a mission is started and committed afterwards completes it at its start, not earlier", () => {
  const level: Objective = { ...objective(), criteria: [attributeCriterion(LEVEL, "EqualTo", 1)], progressKind: "Binary" };
  const { effects } = advance(newcomer(), definitionsOf(mission({ objectives: [level] })), [
    entry(1, { receivedAt: NOON + 5 }),
    setTo(2, LEVEL, 1, NOON + 3),
  ]);
  expect(effects.find(({ kind }) => kind === "completion")).toMatchObject({ startedAt: NOON + 5, completedAt: NOON + 5 });
});

/**
 * When each objective is satisfied by the specification, given all facts: the index of the fact, or Infinity. `from` is the index of the
 * player's entry.
 */
function satisfiedAt({ objectives, objectiveOrder }: Mission, facts: readonly Fact[], from: number): number[] {
  const valueAt = (attributeId: number, place: number) =>
    facts.slice(0, place + 1).findLast((fact): fact is AttributeFact => fact.kind === "attribute" && fact.attributeId === attributeId)
      ?.value;
  const eventsBetween = (after: number, place: number) => facts.slice(after + 1, place + 1).filter(({ kind }) => kind === "event").length;
  const isMet = ({ criteria, expression }: Objective, after: number, place: number): boolean => {
    const leaf = (one: Criterion) =>
      holds(one.source === "Event" ? eventsBetween(after, place) : valueAt(one.definitionId, place), one.operator, one.target);
    const test = (one: Expression): boolean => {
      if (typeof one === "number") return leaf(criteria[one]!);
      if ("all" in one) return one.all.every(test);
      return "any" in one ? one.any.some(test) : !test(one.not);
    };
    return test(expression);
  };
  let turn = from;
  return objectives.map((one) => {
    if (isLimit(one)) return from;
    const after = objectiveOrder === "InOrder" ? turn : from;
    const places = facts.map((_, index) => index).filter((place) => place >= after);
    turn = after === Infinity ? Infinity : (places.find((place) => isMet(one, after, place)) ?? Infinity);
    return turn;
  });
}

const operators = fc.constantFrom<Operator>(
  "EqualTo",
  "NotEqualTo",
  "GreaterThan",
  "GreaterThanOrEqualTo",
  "LessThan",
  "LessThanOrEqualTo",
);
const small = fc.integer({ min: 0, max: 3 });
const leaves: fc.Arbitrary<Criterion> = fc.oneof(
  fc.tuple(fc.constantFrom(LEVEL, DEBT), operators, small).map((parts) => attributeCriterion(...parts)),
  fc
    .tuple(fc.constantFrom(LEVEL, DEBT), fc.constantFrom<Operator>("In", "NotIn"), fc.array(small, { minLength: 1, maxLength: 2 }))
    .map((parts) => attributeCriterion(...parts)),
  fc.integer({ min: 1, max: 3 }).map((target) => criterion({ target })),
);
const EXPRESSIONS: Expression[] = [{ all: [0, 1] }, { any: [0, 1] }, { all: [0, { not: 1 }] }, { not: { any: [0, 1] } }];
const objectives: fc.Arbitrary<Objective> = fc.oneof(
  leaves.map((only): Objective => ({ ...objective(), criteria: [only], progressKind: "Binary" })),
  small.map((target) => objective({ operator: "LessThanOrEqualTo", target })),
  fc
    .tuple(leaves, leaves, fc.constantFrom(...EXPRESSIONS))
    .map(([a, b, expression]): Objective => ({ ...objective(), criteria: [a, b], expression, progressKind: "NotDisplayable" })),
);
const missions = fc
  .record({
    objectives: fc.array(objectives, { minLength: 1, maxLength: 4 }).filter((all) => !all.every(isLimit)),
    objectiveOrder: fc.constantFrom<Mission["objectiveOrder"]>("AnyOrder", "InOrder"),
    optIn: fc.constantFrom<Mission["optIn"]>("Automatic", "Manual"),
  })
  .map((parts) => mission({ ...parts, partitionId: 1 }));
const histories = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom(LEVEL, DEBT), small).map(
        ([id, value]) =>
          (seq: number): Fact =>
            setTo(seq, id, value),
      ),
      fc.constant((seq: number): Fact => order(seq)),
      fc.constantFrom(
        (seq: number): Fact => entry(seq),
        (seq: number): Fact => accept(seq),
      ),
    ),
    { maxLength: 25 },
  )
  .map((makers) => makers.map((make, index) => make(index + 1)));

test("objectives over attributes and events are satisfied as specified, by values before entry and after, in any order and in order", () => {
  fc.assert(
    fc.property(missions, histories, (one, facts) => {
      const entered = facts.findIndex(({ kind }) => kind === "entry");
      const accepted = facts.findIndex(({ kind }, index) => kind === "accept" && index > entered);
      const from = entered < 0 ? -1 : one.optIn === "Automatic" ? entered : accepted;
      const expected = from < 0 ? null : satisfiedAt(one, facts, from);
      const completed = expected === null ? Infinity : Math.max(from, ...expected);

      let player = newcomer();
      const effects = facts.flatMap((fact) => {
        const advanced = advance(player, definitionsOf(one), [fact]);
        const missions = new Map([...advanced.player.missions].map(([id, partition]) => [id, decodePartition(encodePartition(partition))]));
        player = { ...advanced.player, missions };
        return advanced.effects;
      });
      const completions = effects.filter((effect) => effect.kind === "completion");
      expect(completions.map(({ completedAt }) => completedAt)).toEqual(completed === Infinity ? [] : [facts[completed]?.receivedAt]);
      if (expected === null || completed < Infinity) return;
      const [live] = player.missions.get(one.partitionId)?.get(one.id)?.live ?? [];
      expect(live?.objectives.map(({ isSatisfied }) => isSatisfied)).toEqual(expected.map((place) => place < Infinity));
    }),
    { numRuns: 1_000 },
  );
});
