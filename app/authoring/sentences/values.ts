import { Decimal } from "../../../server/kernel/decimal.ts";
import { parseInstant } from "../../../server/kernel/time.ts";
import { isNumeric, type Operator, type Scalar, type ScalarType } from "../../../server/kernel/values.ts";
import type { Value } from "../rules/shapes.ts";
import { withThousands } from "../../_components/numbers.ts";
import { listed, missing, type Phrase, say, valued } from "./parts.ts";

/** 12345.5 → "12,345.5", digit for digit. */
export function numberInWords(number: number | Decimal): string {
  if (Number.isNaN(number)) return "…";
  return withThousands(String(Decimal.of(number)));
}

/** "1 February 2026, 09:00" in the project's time zone. */
export function instantInWords(text: string, timeZone: string): string {
  const instant = parseInstant(text);
  if (instant === null) return text;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(instant);
}

/** Words of a text that could be taken for part of the sentence, or for a number, stand in quotes. */
const textInWords = (text: string): string => (/^[^\s,"“”]+$/.test(text) && !/^(-?[\d.]+|true|false)$/.test(text) ? text : `“${text}”`);

function scalar(value: Scalar, type: ScalarType | undefined, timeZone: string): Phrase {
  if (isNumeric(value)) return valued(numberInWords(value));
  if (typeof value === "boolean") return valued(value ? "true" : "false");
  return valued(type === "DateTime" ? instantInWords(value, timeZone) : textInWords(value));
}

/** A value as a sentence names it; those of a list joined by `last`. */
export function valuePhrase(
  value: Value,
  { type, timeZone, last = "or" }: { type?: ScalarType | undefined; timeZone: string; last?: string },
): Phrase {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return missing("…");
  if (!Array.isArray(value)) return scalar(value, type, timeZone);
  return listed(
    value.map((one) => scalar(one, type, timeZone)),
    last,
  );
}

interface Compared {
  operator: Operator;
  value: Value;
  type?: ScalarType | undefined;
  timeZone: string;
}

/** "is over 10": what follows the name of what is compared. */
export function comparison({ operator, value, type, timeZone }: Compared): Phrase {
  const values = (last: string) => valuePhrase(value, { type, timeZone, last });
  if (type === "DateTime") {
    const at = values("or");
    switch (operator) {
      case "GreaterThan":
        return say`is after ${at}`;
      case "GreaterThanOrEqualTo":
        return say`is at or after ${at}`;
      case "LessThan":
        return say`is before ${at}`;
      case "LessThanOrEqualTo":
        return say`is at or before ${at}`;
      case "EqualTo":
      case "NotEqualTo":
      case "In":
      case "NotIn":
        break;
    }
  }
  switch (operator) {
    case "EqualTo":
      return say`is ${values("or")}`;
    case "NotEqualTo":
      return say`is not ${values("or")}`;
    case "GreaterThan":
      return say`is over ${values("or")}`;
    case "GreaterThanOrEqualTo":
      return say`is at least ${values("or")}`;
    case "LessThan":
      return say`is under ${values("or")}`;
    case "LessThanOrEqualTo":
      return say`is at most ${values("or")}`;
    case "In":
      return say`is ${values("or")}`;
    case "NotIn":
      return isOne(value) ? say`is not ${values("or")}` : say`is neither ${values("nor")}`;
  }
}

const isOne = (value: Value): boolean => !Array.isArray(value) || value.length < 2;

/** "at least 5": a quantity that something has. */
export function quantity({ operator, value, type, timeZone }: Compared): Phrase {
  const values = valuePhrase(value, { type, timeZone });
  switch (operator) {
    case "EqualTo":
      return type === "Number" ? say`exactly ${values}` : values;
    case "NotEqualTo":
    case "NotIn":
      return say`other than ${values}`;
    case "GreaterThan":
      return type === "DateTime" ? say`after ${values}` : say`more than ${values}`;
    case "GreaterThanOrEqualTo":
      return say`at least ${values}`;
    case "LessThan":
      return type === "DateTime" ? say`before ${values}` : say`less than ${values}`;
    case "LessThanOrEqualTo":
      return say`at most ${values}`;
    case "In":
      return values;
  }
}
