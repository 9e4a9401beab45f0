import { type Finding, type Path, mistake } from "./finding.ts";
import type { Readable } from "./readable.ts";
import type { Typed } from "./scope.ts";
import { z } from "zod";
import { type Properties, propertyOf, type Scalar, type ScalarType } from "../kernel/values.ts";
import { checkComparison, comparison, holds, operator, type Operator, standingText } from "./operator.ts";
import { missing, named, type Phrase, say, textOf } from "./phrase.ts";
import { filledList, oneForm, reference } from "./shapes.ts";
import { compiledTree, evaluate, fold, type LeafOf, leavesIn, mapped, treePhrase } from "./tree.ts";
import { canonicalValue, type Choice, type Value, value } from "./value.ts";

/** Over the properties of one event. */
export type FilterShape =
  | { all: FilterShape[] }
  | { any: FilterShape[] }
  | { not: FilterShape }
  | { property: string; operator: Operator; value: Scalar | Scalar[] };

export const filterShape: z.ZodType<FilterShape> = z.lazy(() =>
  oneForm<FilterShape>(
    mistake("shape.rule", { rule: "filter", example: '{ "property": "amount", "operator": "GreaterThan", "value": 10 }' }),
    [
      z.strictObject({ property: reference, operator, value }),
      z.strictObject({ all: filledList(filterShape) }),
      z.strictObject({ any: filledList(filterShape) }),
      z.strictObject({ not: filterShape }),
    ],
  ),
);

/** A leaf of a filter as a form holds it. */
export interface PropertyTestDraft {
  property: Choice;
  operator: Operator;
  value: Value;
}

/** A filter as a form holds it. */
export type FilterDraft = { all: FilterDraft[] } | { any: FilterDraft[] } | { not: FilterDraft } | PropertyTestDraft;

/** A filter ready for the rules. */
export type Filter = { all: readonly Filter[] } | { any: readonly Filter[] } | { not: Filter } | PropertyTest;

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
    const { type, findings } = typeOf(leaf.property, [...fieldPath, "property"]);
    return [...findings, ...checkComparison(type, { operator: leaf.operator, value: leaf.value, path: fieldPath, member: "value" })];
  });

/** The filter in canonical form. */
export const canonicalFilter = (filter: FilterShape, typeOf: TypeOf): FilterShape =>
  mapped(filter, (leaf) => ({ ...leaf, value: canonicalValue(typeOf(leaf.property), leaf.value) }));

/** The filter ready for the rules; `typeOf` throws for a property that there is not. */
export const compileFilter = (filter: FilterShape, typeOf: (property: string) => ScalarType): Filter =>
  compiledTree<FilterShape, Filter>(filter, ({ property, operator: compares, value: wanted }) => ({
    property,
    type: typeOf(property),
    operator: compares,
    value: wanted,
  }));

const passesTest = (test: PropertyTest, properties: Properties): boolean =>
  holds(propertyOf(properties, test.property), test.operator, test.value);

/** Whether an event's properties pass a `where`. A property the event lacks has no value. */
export const passes = (filter: Filter | null, properties: Properties): boolean =>
  filter === null || evaluate(filter, passesTest, properties);

/** "amount is over 10 and drink is latte". */
export const filterPhrase = <One extends FilterDraft | Filter>(filter: One, typeOf: TypeOf, timeZone: string): Phrase =>
  treePhrase<FilterDraft>(filter as FilterDraft, ({ property, ...compared }) => {
    const isChosen = property !== null && property !== "";
    const type = isChosen ? typeOf(property) : undefined;
    return say`${isChosen ? named(property) : missing("a property")} ${comparison({ ...compared, type, timeZone })}`;
  });

/** As `filterPhrase` of a filter that is ready for the rules, which knows its types. */
export const compiledFilterPhrase = (filter: Filter, timeZone: string): Phrase => {
  const types = new Map<string, ScalarType>();
  evaluate(filter, (test: LeafOf<Filter>) => (types.set(test.property, test.type), true), undefined);
  return filterPhrase(filter, (property) => types.get(property), timeZone);
};

/** The parts of a filter that properties do not pass. */
export function filterReason(filter: Filter | null, properties: Properties, timeZone: string): string {
  if (filter === null) return "nothing keeps it out";
  return fold<Filter, { isMet: boolean; reason: string }>(
    filter,
    (test) => ({
      isMet: passesTest(test, properties),
      reason: `${test.property} ${standingText(propertyOf(properties, test.property), { ...test, timeZone })}`,
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
