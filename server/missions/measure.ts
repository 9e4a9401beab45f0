import type { Criterion, EventCriterion } from "../definitions/compiled.ts";
import { addNumbers } from "../kernel/decimal.ts";
import type { EventFact } from "../kernel/facts.ts";
import { compareScalars } from "../kernel/operators.ts";
import { localDate } from "../kernel/time.ts";
import { isNumeric, propertyOf, type Scalar } from "../kernel/values.ts";
import { passes } from "./filter.ts";
import type { Reading } from "../kernel/player.ts";

type Measured = Pick<EventCriterion, "measure">;

/** The reading before the first counted event (decisions.md 2.3): counts and sums start at 0, extremes have none. */
export function readingWithoutEvents({ measure }: Measured): Reading {
  switch (measure.kind) {
    case "Count":
    case "Sum":
    case "DistinctCount":
    case "DistinctDays":
      return { value: 0 };
    case "Max":
    case "Min":
    case "Latest":
      return { value: null };
  }
}

/** Whether an event is one that the criterion reads: its event, and it passes the filter. */
export const concerns = (criterion: Criterion, fact: EventFact): criterion is EventCriterion =>
  criterion.definitionId === fact.definitionId && criterion.source !== "Attribute" && passes(criterion.where, fact.properties);

/**
 * The value that a distinct measure asks about an event, as text (the property's value or the day in the player's zone);
 * null where the measure is another one or the event has no value for it.
 */
export function distinctValue({ measure }: Measured, fact: EventFact, zone: string): string | null {
  switch (measure.kind) {
    case "DistinctDays":
      return localDate(fact.occurredAt, zone);
    case "DistinctCount": {
      const value = measuredValue(fact, measure.property);
      return value === undefined ? null : `${typeof value === "object" ? "number" : typeof value}:${value.toString()}`;
    }
    default:
      return null;
  }
}

/** The value that a measure of a property (null: of the metric itself) finds in an event; undefined without one. */
export const measuredValue = ({ properties, value }: EventFact, property: string | null): Scalar | undefined =>
  property === null ? (value ?? undefined) : propertyOf(properties, property);

/** The reading after an event that concerns the criterion; the same object where the event says nothing about it. */
export function advanceReading(reading: Reading, { measure }: Measured, fact: EventFact, isNewValue: () => boolean): Reading {
  switch (measure.kind) {
    case "Count":
      return { value: addNumbers(numberOf(reading), 1) };
    case "DistinctCount":
    case "DistinctDays":
      return isNewValue() ? { value: addNumbers(numberOf(reading), 1) } : reading;
    default: {
      const value = measuredValue(fact, measure.property);
      return value === undefined ? reading : advanceByValue(reading, measure.kind, value, fact.occurredAt);
    }
  }
}

function advanceByValue(reading: Reading, kind: "Sum" | "Max" | "Min" | "Latest", value: Scalar, at: number): Reading {
  switch (kind) {
    case "Sum":
      return isNumeric(value) ? { value: addNumbers(numberOf(reading), value) } : reading;
    case "Max":
      return reading.value === null || compareScalars(value, reading.value) === 1 ? { value } : reading;
    case "Min":
      return reading.value === null || compareScalars(value, reading.value) === -1 ? { value } : reading;
    case "Latest":
      // By when it happened; of two at the same instant the one received later.
      return reading.at === undefined || at >= reading.at ? { value, at } : reading;
  }
}

const numberOf = ({ value }: Reading) => (isNumeric(value) ? value : 0);
