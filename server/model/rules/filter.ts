import { type Finding, type Path, mistake } from "./finding.ts";
import type { Readable } from "./readable.ts";
import type { Typed } from "./scope.ts";
import { z } from "zod";
import type { EventFact } from "../kernel/facts.ts";
import { propertyOf, type Scalar, type ScalarType } from "../kernel/values.ts";
import { checkComparison, comparison, holds, operator, type Operator, standingText } from "./operator.ts";
import { missing, named, type Phrase, say, textOf } from "./phrase.ts";
import { filledList, oneForm, reference } from "./shapes.ts";
import { compiledTree, evaluate, fold, type LeafOf, leaves, leavesIn, mapped, treePhrase } from "./tree.ts";
import { canonicalValue, type Choice, type Value, value } from "./value.ts";
import {
  canonicalWhen,
  compileWhen,
  isWithin,
  type When,
  type WhenDraft,
  whenPhrase,
  type WhenShape,
  whenShape,
  whenText,
} from "./when.ts";

/** A filter over the properties of one event and the time at which it happened, in the form of the file. */
export type FilterShape =
  | { all: FilterShape[] }
  | { any: FilterShape[] }
  | { not: FilterShape }
  | { property: string; operator: Operator; value: Scalar | Scalar[] }
  | WhenShape;

export const filterShape: z.ZodType<FilterShape> = z.lazy(() =>
  oneForm<FilterShape>(
    mistake("shape.rule", { rule: "filter", example: '{ "property": "amount", "operator": "GreaterThan", "value": 10 }' }),
    [
      z.strictObject({ property: reference, operator, value }),
      z.strictObject({ all: filledList(filterShape) }),
      z.strictObject({ any: filledList(filterShape) }),
      z.strictObject({ not: filterShape }),
      whenShape,
    ],
  ),
);

/** A comparison of a property, as a form holds it. */
export interface PropertyTestDraft {
  property: Choice;
  operator: Operator;
  value: Value;
}

/** A filter as a form holds it. */
export type FilterDraft = { all: FilterDraft[] } | { any: FilterDraft[] } | { not: FilterDraft } | PropertyTestDraft | WhenDraft;

/** A compiled filter. */
export type Filter = { all: readonly Filter[] } | { any: readonly Filter[] } | { not: Filter } | PropertyTest | When;

interface PropertyTest {
  property: string;
  type: ScalarType;
  operator: Operator;
  value: Scalar | readonly Scalar[];
}

/** The type of a property; undefined if unknown. */
type TypeOf = (property: string) => ScalarType | undefined;

/** The findings of a filter; `typeOf` gives the type of a property, and the findings of its reference. */
export const checkFilter = (
  filter: Readable<FilterShape> | null,
  path: Path,
  typeOf: (property: Readable<string>, path: Path) => Typed,
): Finding[] =>
  leavesIn<FilterShape>(filter, path).flatMap(({ leaf, path: fieldPath }) => {
    if ("when" in leaf) return [];
    const { type, findings } = typeOf(leaf.property, [...fieldPath, "property"]);
    return [...findings, ...checkComparison(type, { operator: leaf.operator, value: leaf.value, path: fieldPath, member: "value" })];
  });

export const canonicalFilter = (filter: FilterShape, typeOf: TypeOf): FilterShape =>
  mapped(filter, (leaf) => ("when" in leaf ? canonicalWhen(leaf) : { ...leaf, value: canonicalValue(typeOf(leaf.property), leaf.value) }));

/** Compiles a filter; `typeOf` throws for an unknown property. */
export const compileFilter = (filter: FilterShape, typeOf: (property: string) => ScalarType): Filter =>
  compiledTree<FilterShape, Filter>(filter, (leaf) => {
    if ("when" in leaf) return compileWhen(leaf);
    const { property, operator: compares, value: wanted } = leaf;
    return { property, type: typeOf(property), operator: compares, value: wanted };
  });

/** What filters read of an event. */
export type Filtered = Pick<EventFact, "properties" | "occurredAt">;

interface FilterContext {
  fact: Filtered;
  /** The player's zone, or else the project's. */
  zone: string;
}

const passesLeaf = (leaf: LeafOf<Filter>, { fact, zone }: FilterContext): boolean =>
  "when" in leaf ? isWithin(leaf, fact.occurredAt, zone) : holds(propertyOf(fact.properties, leaf.property), leaf.operator, leaf.value);

/**
 * Whether an event passes a `where`. A property the event lacks has no value. `zone` is the player's, or else the project's.
 */
export const passes = (filter: Filter | null, fact: Filtered, zone: string): boolean =>
  filter === null || evaluate(filter, passesLeaf, { fact, zone });

/** Whether a filter depends on the clock of the player's zone: its past results cannot be recomputed once they have moved. */
export const readsClock = (filter: Filter | null): boolean => filter !== null && leaves(filter).some((leaf) => "when" in leaf);

/** "amount is more than 10 and drink is latte". */
export const filterPhrase = <One extends FilterDraft | Filter>(filter: One, typeOf: TypeOf, timeZone: string): Phrase =>
  treePhrase<FilterDraft>(filter as FilterDraft, (leaf) => {
    if ("when" in leaf) return whenPhrase(leaf);
    const { property, ...compared } = leaf;
    const isChosen = property !== null && property !== "";
    const type = isChosen ? typeOf(property) : undefined;
    return say`${isChosen ? named(property) : missing("a property")} ${comparison({ ...compared, type, timeZone })}`;
  });

/** As `filterPhrase`, of a compiled filter, which knows its types. */
export const compiledFilterPhrase = (filter: Filter, timeZone: string): Phrase => {
  const types = new Map(leaves(filter).flatMap((leaf) => ("when" in leaf ? [] : [[leaf.property, leaf.type] as const])));
  return filterPhrase(filter, (property) => types.get(property), timeZone);
};

/** The parts of a filter that an event does not pass. `zone` is as for `passes`, instants are written in `timeZone`. */
export function filterReason(filter: Filter | null, fact: Filtered, zone: string, timeZone: string): string {
  if (filter === null) return "nothing keeps it out";
  return fold<Filter, { isMet: boolean; reason: string }>(
    filter,
    (leaf) => ({
      isMet: passesLeaf(leaf, { fact, zone }),
      reason:
        "when" in leaf
          ? whenText(leaf, fact.occurredAt, zone)
          : `${leaf.property} ${standingText(propertyOf(fact.properties, leaf.property), { ...leaf, timeZone })}`,
    }),
    (how, parts, group) => {
      switch (how) {
        case "all":
          return { isMet: parts.every(({ isMet }) => isMet), reason: reasonsOf(parts).join(", and ") };
        case "any":
          return { isMet: parts.some(({ isMet }) => isMet), reason: parts.map(({ reason }) => reason).join("; or ") };
        case "not":
          return {
            isMet: !parts[0]!.isMet,
            reason: `must not be: ${textOf(compiledFilterPhrase("not" in group ? group.not : group, timeZone))}`,
          };
      }
    },
  ).reason;
}

const reasonsOf = (parts: readonly { isMet: boolean; reason: string }[]): string[] =>
  parts.flatMap(({ isMet, reason }) => (isMet ? [] : [reason]));
