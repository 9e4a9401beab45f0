import { type Finding, finding, type Path } from "./finding.ts";
import { given, type Readable } from "./readable.ts";
import { z } from "zod";
import { compareNumbers } from "../kernel/decimal.ts";
import { isNumeric, type Scalar, type ScalarType } from "../kernel/values.ts";
import { type Phrase, say, textOf, words } from "./phrase.ts";
import { checkValue } from "./value.ts";
import { scalarInWords, valuePhrase } from "./value-words.ts";

/** The operators, in the order in which messages list them. */
export const OPERATORS = [
  "EqualTo",
  "NotEqualTo",
  "GreaterThan",
  "GreaterThanOrEqualTo",
  "LessThan",
  "LessThanOrEqualTo",
  "In",
  "NotIn",
] as const;
export type Operator = (typeof OPERATORS)[number];

export const operator = z.enum(OPERATORS);

/** The target of a comparison: one value, or a list for In and NotIn. */
export type Target = Scalar | readonly Scalar[];

interface OperatorRow {
  readonly types: readonly ScalarType[];
  readonly takesList: boolean;
  /** Whether it holds for a missing value. */
  readonly withoutValue: boolean;
  test(actual: Scalar, target: Target): boolean;
  /** How progress toward the target of a number is shown. */
  readonly progress: "TowardTarget" | "WithinLimit" | "Binary";
  readonly words: OperatorWords;
}

interface OperatorWords {
  /** After "is" or "to be": "is more than 10". */
  readonly being: string;
  /** The same for an instant: "is after …". */
  readonly ofTime?: string;
  /** For a quantity: "more than 5 times". */
  readonly quantity: string;
  /** Its name in menus, if different from the words above. */
  readonly menu?: { readonly being: string; readonly quantity: string };
  /** For a count compared with 1. */
  readonly once?: string;
}

const EVERY_TYPE: readonly ScalarType[] = ["String", "Number", "Boolean", "DateTime"];
/** Types of which one value comes before another. */
const ORDERED: readonly ScalarType[] = ["Number", "DateTime"];

/** The properties of every operator, in the order of menus. */
const TABLE = {
  GreaterThanOrEqualTo: {
    types: ORDERED,
    takesList: false,
    withoutValue: false,
    test: (actual, target) => (compareScalars(actual, target as Scalar) ?? -1) >= 0,
    progress: "TowardTarget",
    words: { being: "at least", ofTime: "at or after", quantity: "at least", once: "at least once" },
  },
  GreaterThan: {
    types: ORDERED,
    takesList: false,
    withoutValue: false,
    test: (actual, target) => compareScalars(actual, target as Scalar) === 1,
    progress: "TowardTarget",
    words: { being: "more than", ofTime: "after", quantity: "more than", once: "more than once" },
  },
  LessThanOrEqualTo: {
    types: ORDERED,
    takesList: false,
    withoutValue: false,
    test: (actual, target) => (compareScalars(actual, target as Scalar) ?? 1) <= 0,
    progress: "WithinLimit",
    words: { being: "at most", ofTime: "at or before", quantity: "at most", once: "at most once" },
  },
  LessThan: {
    types: ORDERED,
    takesList: false,
    withoutValue: false,
    test: (actual, target) => compareScalars(actual, target as Scalar) === -1,
    progress: "WithinLimit",
    words: { being: "less than", ofTime: "before", quantity: "less than", once: "never" },
  },
  EqualTo: {
    types: EVERY_TYPE,
    takesList: false,
    withoutValue: false,
    test: (actual, target) => compareScalars(actual, target as Scalar) === 0,
    progress: "Binary",
    words: { being: "", quantity: "exactly", once: "exactly once" },
  },
  NotEqualTo: {
    types: EVERY_TYPE,
    takesList: false,
    withoutValue: true,
    test: (actual, target) => compareScalars(actual, target as Scalar) !== 0,
    progress: "Binary",
    words: { being: "not", quantity: "other than", once: "other than once" },
  },
  In: {
    types: EVERY_TYPE,
    takesList: true,
    withoutValue: false,
    test: isAmong,
    progress: "Binary",
    words: { being: "", quantity: "", menu: { being: "is one of", quantity: "one of" }, once: "once" },
  },
  NotIn: {
    types: EVERY_TYPE,
    takesList: true,
    withoutValue: true,
    test: (actual, target) => !isAmong(actual, target),
    progress: "Binary",
    words: { being: "neither", quantity: "other than", menu: { being: "is none of", quantity: "none of" }, once: "other than once" },
  },
} as const satisfies Record<Operator, OperatorRow>;

const ROWS: Readonly<Record<Operator, OperatorRow>> = TABLE;

const IN_MENU_ORDER = Object.keys(TABLE) as Operator[];

export const takesList = (one: Operator): boolean => ROWS[one].takesList;

export const progressToward = (one: Operator): OperatorRow["progress"] => ROWS[one].progress;

/** Whether values of a type can be compared in this way. */
export const fits = (type: ScalarType, one: Operator): boolean => ROWS[one].types.includes(type);

/** The operators of a type; of a type that is not known yet those that fit every type. */
export const operatorsOf = (type: ScalarType | undefined): readonly Operator[] =>
  IN_MENU_ORDER.filter((one) => (type === undefined ? EVERY_TYPE : [type]).every((each) => fits(each, one)));

/** Whether the comparison of `actual` with `target` holds. */
export const holds = (actual: Scalar | null | undefined, one: Operator, target: Target): boolean =>
  actual === null || actual === undefined ? ROWS[one].withoutValue : ROWS[one].test(actual, target);

/** −1, 0 or 1; null for values of different types. DateTimes compare as text: their one form sorts by time. */
export function compareScalars(a: Scalar, b: Scalar): -1 | 0 | 1 | null {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : null;
  if (typeof a !== typeof b || isNumeric(b)) return null;
  return a === b ? 0 : a < b ? -1 : 1;
}

function isAmong(actual: Scalar, target: Target): boolean {
  if (!Array.isArray(target)) return compareScalars(actual, target as Scalar) === 0;
  return (target as readonly Scalar[]).some((one) => compareScalars(actual, one) === 0);
}

/** A comparison in the form of the file: in a filter the value is called `value`, in an objective `target`. */
interface Comparison {
  operator: Readable<Operator>;
  value: Readable<Scalar | Scalar[]>;
  path: Path;
  member: "value" | "target";
}

/** Whether operator and value match the compared type; without a type, whether they match each other. */
export function checkComparison(type: ScalarType | undefined, { operator: compares, value, path, member }: Comparison): Finding[] {
  const one = given(compares);
  const wanted = given(value);
  const findings: Finding[] = [];
  if (type !== undefined && one !== undefined && !fits(type, one)) {
    findings.push(finding([...path, "operator"], "operator.does_not_fit", { operator: one, type, fitting: operatorsOf(type) }));
  }
  if (wanted === undefined) return findings;
  const fieldPath = [...path, member];
  if (one !== undefined) findings.push(...checkNumberOfValues(one, wanted, fieldPath));
  if (type !== undefined) findings.push(...checkValue(type, wanted, fieldPath));
  return findings;
}

function checkNumberOfValues(one: Operator, value: unknown, path: Path): Finding[] {
  const isList = Array.isArray(value);
  if (takesList(one)) return isList && value.length > 0 ? [] : [finding(path, "value.list_wanted", { operator: one })];
  return isList ? [finding(path, "value.single_wanted", { operator: one, ofLists: OPERATORS.filter(takesList) })] : [];
}

/** The target of a comparison, as sentences need it. */
export interface Compared {
  operator: Operator;
  value: Target | null;
  type?: ScalarType | undefined;
  timeZone: string;
}

/** The value of a comparison without repetitions; of a list of one, that one. */
export function distinctTarget(value: Target | null): Target | null {
  if (!Array.isArray(value)) return value;
  const distinct = [...new Map((value as readonly Scalar[]).map((one) => [String(one), one])).values()];
  return distinct.length === 1 ? distinct[0]! : distinct;
}

/** "more than 10": what follows "is" or "needs to be". */
export function beingPhrase({ operator: one, value: given, type, timeZone }: Compared): Phrase {
  const value = distinctTarget(given);
  const isNeither = one === "NotIn" && Array.isArray(value);
  const { being, ofTime } = ROWS[one].words;
  const word = one === "NotIn" && !isNeither ? ROWS.NotEqualTo.words.being : ((type === "DateTime" ? ofTime : undefined) ?? being);
  const values = valuePhrase(value, { type, timeZone, last: isNeither ? "nor" : "or" });
  return word === "" ? values : say`${word} ${values}`;
}

/** "is more than 10": the comparison in words, after the name of its subject. */
export const comparison = (compared: Compared): Phrase => say`is ${beingPhrase(compared)}`;

/** "at least 5": a quantity that something has. */
export function quantity({ operator: one, value, type, timeZone }: Compared): Phrase {
  const { quantity: amount, ofTime } = ROWS[one].words;
  const values = valuePhrase(distinctTarget(value), { type, timeZone });
  if (type === "DateTime" && ofTime !== undefined) return say`${ofTime} ${values}`;
  // Only numbers take "exactly".
  return amount === "" || (one === "EqualTo" && type !== "Number") ? values : say`${amount} ${values}`;
}

/** "at least 5 times", "never": how often something happens. */
export function timesPhrase(compared: Omit<Compared, "type">): Phrase {
  const one = compared.operator;
  const value = distinctTarget(compared.value);
  if (one === "EqualTo" && value === 0) return words("never");
  const once = value === 1 ? ROWS[one].words.once : undefined;
  return once === undefined ? say`${quantity({ ...compared, type: "Number" })} times` : words(once);
}

/** The operator in a menu: "at least" for a quantity, "is at least" otherwise. */
export function operatorInMenu(one: Operator, type: ScalarType | undefined, isQuantity: boolean): string {
  const { being, ofTime, quantity: amount, menu } = ROWS[one].words;
  if (isQuantity) return menu?.quantity ?? amount;
  return menu?.being ?? `is ${(type === "DateTime" ? ofTime : undefined) ?? being}`.trim();
}

/** "is 8, needs to be more than 10": a value beside its requirement. */
export function standingText(actual: Scalar | null | undefined, compared: Compared): string {
  const has = actual === null || actual === undefined ? "is missing" : `is ${scalarInWords(actual, compared.type, compared.timeZone)}`;
  return `${has}, needs to be ${textOf(beingPhrase(compared))}`;
}

/** "3 of 5"; "8, needs at most 5"; "8, needs at least 5" beyond the target: how a reading stands to it. */
export function counterText(counter: Scalar | null, compared: Compared): string {
  const { operator, type, value } = compared;
  if (counter !== null && type === "Number" && operator === "GreaterThanOrEqualTo" && compareScalars(counter, value as Scalar) !== 1)
    return `${scalarInWords(counter, type, compared.timeZone)} of ${scalarInWords(value as Scalar, type, compared.timeZone)}`;
  const has = counter === null ? "no value" : scalarInWords(counter, compared.type, compared.timeZone);
  return `${has}, needs ${textOf(quantity(compared))}`;
}
