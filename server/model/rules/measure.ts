import { z } from "zod";
import { addNumbers } from "../kernel/decimal.ts";
import type { EventFact } from "../kernel/facts.ts";
import type { CounterValue } from "../kernel/player.ts";
import { localDate } from "../kernel/time.ts";
import { isNumeric, propertyOf, type Scalar, type ScalarType } from "../kernel/values.ts";
import { compareScalars } from "./operator.ts";
import { missing, named, type Phrase, say, words } from "./phrase.ts";
import { must, optional, reference } from "./shapes.ts";
import { type Choice, isOfType } from "./value.ts";
import { scalarInWords } from "./value-words.ts";

/** The measures, in the order of menus. */
export const MEASURES = ["Count", "Sum", "Max", "Min", "Latest", "DistinctCount", "DistinctDays"] as const;
export type MeasureKind = (typeof MEASURES)[number];

/** The measures that a leaderboard can score by. */
export const SCORE_MEASURES = ["Count", "Sum", "Max", "Min", "Latest"] as const satisfies readonly MeasureKind[];

/** A compiled measure of the counted events. */
export type Measure =
  | { kind: "Count" }
  | { kind: "DistinctDays" }
  /** Null: the value of the metric. */
  | { kind: "Sum" | "Max" | "Min" | "Latest"; property: string | null }
  /** `of`: the type of the property, as the reading is a number. */
  | { kind: "DistinctCount"; property: string | null; of: ScalarType };

/** The measure of a leaderboard's scores; a board over points sums them. */
export type ScoreMeasure =
  | { kind: "Count" }
  /** Null: the value of the metric. */
  | { kind: "Sum" | "Max" | "Min" | "Latest"; property: string | null };

/** A measure as a form holds it. */
export interface MeasureDraft {
  kind: MeasureKind;
  property?: Choice;
}

const measureOf = <Property>(property: z.ZodType<Property>) =>
  z.discriminatedUnion(
    "kind",
    [
      z.strictObject({ kind: z.literal("Count") }),
      z.strictObject({ kind: z.literal("DistinctDays") }),
      z.strictObject({ kind: z.enum(["Sum", "Max", "Min", "Latest", "DistinctCount"]), property }),
    ],
    must("shape.kind", { kinds: MEASURES }),
  );

export const eventMeasure = measureOf(reference);

/** The measure of a metric: without a property it is of the metric's value. */
export const metricMeasure = measureOf(optional(reference));
export type MeasureShape = z.output<typeof metricMeasure>;

/** The measure of a leaderboard. */
export const scoreMeasure = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("Count") }),
    z.strictObject({ kind: z.enum(["Sum", "Max", "Min", "Latest"]), property: optional(reference) }),
  ],
  must("shape.kind", { kinds: SCORE_MEASURES }),
);

interface MeasureRow {
  /** The types of property that the measure accepts; null if it takes no property. */
  readonly of: readonly ScalarType[] | null;
  /** The type of its reading: a number, or that of the property. */
  readonly counter: "Number" | "property";
  /** The reading before the first counted event: counts and sums start at 0, extremes have none. */
  readonly start: 0 | null;
  /** Whether a reading starts low and rises, so that staying below something is a limit. */
  readonly onlyRises: boolean;
  readonly menu: { readonly label: string; readonly hint: string };
}

const ANY: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];

/** The properties of every measure. `advanceCounter` moves their readings. */
const TABLE: Readonly<Record<MeasureKind, MeasureRow>> = {
  Count: {
    of: null,
    counter: "Number",
    start: 0,
    onlyRises: true,
    menu: { label: "number of times", hint: "How often it happened" },
  },
  Sum: { of: ["Number"], counter: "Number", start: 0, onlyRises: true, menu: { label: "total of", hint: "A number, added up" } },
  Max: {
    of: ["Number", "DateTime"],
    counter: "property",
    start: null,
    onlyRises: true,
    menu: { label: "highest", hint: "The greatest or latest there was" },
  },
  Min: {
    of: ["Number", "DateTime"],
    counter: "property",
    start: null,
    // A lap time below a minute is an achievement, and needs a first value.
    onlyRises: false,
    menu: { label: "lowest", hint: "The smallest or earliest there was" },
  },
  Latest: {
    of: ANY,
    counter: "property",
    start: null,
    onlyRises: false,
    menu: { label: "latest", hint: "What it was the last time" },
  },
  DistinctCount: {
    of: ANY,
    counter: "Number",
    start: 0,
    onlyRises: true,
    menu: { label: "different values of", hint: "Three different drinks" },
  },
  DistinctDays: {
    of: null,
    counter: "Number",
    start: 0,
    onlyRises: true,
    menu: { label: "different days", hint: "On how many days it happened" },
  },
};

export const needsProperty = (kind: MeasureKind): boolean => TABLE[kind].of !== null;

/** The types of property that a measure accepts; empty if it takes no property. */
export const measurableTypes = (kind: MeasureKind): readonly ScalarType[] => TABLE[kind].of ?? [];

/** Whether a measure fits a property of a type. A measure without a property fits any. */
export const isMeasurable = (kind: MeasureKind, type: ScalarType): boolean => TABLE[kind].of?.includes(type) ?? true;

/** The type of the reading: counts and sums are numbers, extremes and the latest have the property's type. */
export const counterType = <Property extends ScalarType | undefined>(kind: MeasureKind, property: Property): Property | "Number" =>
  TABLE[kind].counter === "Number" ? "Number" : property;

export const onlyRises = (kind: MeasureKind): boolean => TABLE[kind].onlyRises;

export const measureInMenu = (kind: MeasureKind): MeasureRow["menu"] => TABLE[kind].menu;

/** Whether it counts distinct values or days, so that seen ones must be stored. */
export const isDistinct = ({ kind }: { kind: MeasureKind }): boolean => kind === "DistinctCount" || kind === "DistinctDays";

interface Measured {
  measure: Measure;
}

/** With the type of the reading. */
interface Typed extends Measured {
  type: ScalarType;
}

/** The reading before the first counted event. */
export const counterWithoutEvents = (measured: Measured): CounterValue => ({ value: valueWithoutEvents(measured) });

export const valueWithoutEvents = ({ measure }: Measured): 0 | null => TABLE[measure.kind].start;

/**
 * The distinct value of an event, as text (the property's value or the day in the player's zone); null if the measure is another one or
 * the event has no value for it, or one of another type, from an earlier property of this key.
 */
export function distinctValue({ measure }: Measured, fact: EventFact, zone: string): string | null {
  switch (measure.kind) {
    case "DistinctDays":
      return localDate(fact.occurredAt, zone);
    case "DistinctCount": {
      const value = measuredValue(fact, measure.property);
      return value === undefined || !isOfType(measure.of, value)
        ? null
        : `${typeof value === "object" ? "number" : typeof value}:${value.toString()}`;
    }
    default:
      return null;
  }
}

/** The value that a measure of a property (null: of the metric itself) finds in an event; undefined without one. */
export const measuredValue = ({ properties, value }: EventFact, property: string | null): Scalar | undefined =>
  property === null ? (value ?? undefined) : propertyOf(properties, property);

/**
 * The reading after an event that passed the filter; the same object if the event does not move it. The log may have values of another
 * type, from an earlier property of this key: they count as missing, and a reading that one of them gave gives way.
 */
export function advanceCounter(counter: CounterValue, { measure, type }: Typed, fact: EventFact, isNewValue: () => boolean): CounterValue {
  switch (measure.kind) {
    case "Count":
      return { value: addNumbers(numberOf(counter), 1) };
    case "DistinctCount":
    case "DistinctDays":
      return isNewValue() ? { value: addNumbers(numberOf(counter), 1) } : counter;
    default: {
      const value = measuredValue(fact, measure.property);
      if (value === undefined || !isOfType(type, value)) return counter;
      const isKept = counter.value === null || isOfType(type, counter.value);
      return advanceByValue(isKept ? counter : { value: null }, measure.kind, value, fact.occurredAt);
    }
  }
}

function advanceByValue(counter: CounterValue, kind: "Sum" | "Max" | "Min" | "Latest", value: Scalar, at: number): CounterValue {
  switch (kind) {
    case "Sum":
      return isNumeric(value) ? { value: addNumbers(numberOf(counter), value) } : counter;
    case "Max":
      return counter.value === null || compareScalars(value, counter.value) === 1 ? { value } : counter;
    case "Min":
      return counter.value === null || compareScalars(value, counter.value) === -1 ? { value } : counter;
    case "Latest":
      // By when it happened; of two at the same instant the one received later.
      return counter.at === undefined || at >= counter.at ? { value, at } : counter;
  }
}

const numberOf = ({ value }: CounterValue) => (isNumeric(value) ? value : 0);

const ADJECTIVES = { Sum: "total", Max: "highest", Min: "lowest", Latest: "latest" } as const;

/** The source whose measure is described: without a property, the measure of a metric reads its value. */
interface MeasureOf {
  measure: MeasureDraft;
  isOfMetric: boolean;
}

const isOfValue = ({ measure: { property }, isOfMetric }: MeasureOf): boolean => (property ?? null) === null && isOfMetric;

const propertyPhrase = (of: MeasureOf, unchosen: string): Phrase => {
  if (isOfValue(of)) return words("value");
  return of.measure.property ? named(of.measure.property) : missing(unchosen);
};

/** "the number of", "the total amount of": the measure in words, before the name of its event or metric. */
export function takenPhrase(of: MeasureOf): Phrase {
  const { kind } = of.measure;
  switch (kind) {
    case "Count":
      return words("the number of");
    case "DistinctDays":
      return words("the number of days with");
    case "DistinctCount":
      return say`the number of different ${valuesPhrase(of, false)} of`;
    case "Sum":
    case "Max":
    case "Min":
    case "Latest":
      return say`the ${ADJECTIVES[kind]} ${propertyPhrase(of, "property")} of`;
  }
}

const valuesPhrase = (of: MeasureOf, isOne: boolean): Phrase => {
  const noun = isOne ? "value" : "values";
  return isOfValue(of) ? words(noun) : say`${noun} of ${propertyPhrase(of, "a property")}`;
};

/** "at least 5 times", "with a total amount of at least 100": the required reading of an event, after its name. */
export function counterPhrase(of: MeasureOf, { times, amount, isOne }: { times: Phrase; amount: Phrase; isOne: boolean }): Phrase {
  const { kind } = of.measure;
  switch (kind) {
    case "Count":
      return times;
    case "DistinctDays":
      return say`on ${amount} different ${isOne ? "day" : "days"}`;
    case "DistinctCount":
      return say`with ${amount} different ${valuesPhrase(of, isOne)}`;
    case "Sum":
    case "Max":
    case "Min":
    case "Latest":
      return say`with a ${ADJECTIVES[kind]} ${propertyPhrase(of, "property")} of ${amount}`;
  }
}

/** Why a measure finds nothing new in an event. */
export function measureReason({ measure, type }: Typed, counter: CounterValue, fact: EventFact, timeZone: string): string {
  const shown = (value: Scalar) => scalarInWords(value, measure.kind === "DistinctCount" ? undefined : type, timeZone);
  switch (measure.kind) {
    case "DistinctDays":
      return "this day has counted already";
    case "DistinctCount":
    case "Sum":
    case "Max":
    case "Min":
    case "Latest": {
      const of = measure.property ?? "value";
      const value = measuredValue(fact, measure.property);
      if (value === undefined) return `it has no ${of}`;
      if (!isOfType(measure.kind === "DistinctCount" ? measure.of : type, value)) return `${of} is of another type`;
      if (measure.kind === "DistinctCount") return `${of} ${shown(value)} has counted already`;
      const stands = counter.value === null ? "" : ` ${shown(counter.value)}`;
      if (measure.kind === "Max") return `${shown(value)} is not above the highest so far,${stands}`;
      if (measure.kind === "Min") return `${shown(value)} is not below the lowest so far,${stands}`;
      return "it happened before the latest one that counts";
    }
    case "Count":
      return "it changes nothing";
  }
}
