import type { AttributeDefinition, Definitions } from "../definitions/compiled.ts";
import { canBeKey, type Discovered, FULL, MAX_DISCOVERED, NOT_A_KEY, quotaLeft, typeOfFirst } from "../definitions/discovery.ts";
import { isTooFarAhead, TOO_FAR_AHEAD } from "../kernel/facts.ts";
import { misfit, storedScalar } from "../events/properties.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { jsonPointer } from "../kernel/json.ts";
import { memberNames } from "../kernel/json-reader.ts";
import type { AttributeValue } from "../kernel/player.ts";
import { Problems } from "../kernel/problem.ts";
import { parseInstant } from "../kernel/time.ts";
import { isJsonObject, type Scalar } from "../kernel/values.ts";
import { shortened } from "../rules/naming.ts";
import { compareScalars } from "../rules/operator.ts";

/** The values of a request by attribute key, unchecked. */
export type Values = Readonly<Record<string, unknown>>;

/** A value that an attribute may take. */
export interface AttributeWrite extends AttributeValue {
  attribute: AttributeDefinition;
}

export type WriteResult = "Changed" | "Unchanged" | "Stale";

export interface JudgedWrites {
  writes: AttributeWrite[];
  problems: Problems;
  /** Undefined attributes; unless there are problems, they must be defined before anything is written. */
  found: NonNullable<Discovered["attributes"]>;
}

/** Values judged in one step. */
export const STEP = 1_000;

/**
 * Judges the values of one request, in steps: it lists every problem up to the limit, in the order sent. `now` replaces a missing instant.
 * A request with problems defines and writes nothing.
 */
export function* judgeWrites(
  values: Values,
  definitions: Pick<Definitions, "attributesByKey" | "budget">,
  now: number,
): Generator<void, JudgedWrites> {
  const judged = { writes: [] as AttributeWrite[], problems: new Problems(), found: [] as AttributeDefinition[] };
  let count = 0;
  for (const key of memberNames(values)) {
    if (++count % STEP === 0) yield;
    const given = values[key];
    const refuse: Refuse = (code, message, ...member) =>
      judged.problems.add(() => ({ code, message: message(), pointer: jsonPointer(["attributes", key, ...member]) }));
    const isDated = isJsonObject(given);
    const dated = isDated ? given : { value: given };
    if (dated.value === null || dated.value === undefined) refuseNothing(key, isDated, refuse);
    const attribute = definitionOf(key, dated.value, definitions, judged.found.length, refuse);
    const value = attribute === null ? null : valueOf(attribute, dated.value, refuse);
    const occurredAt = occurredAtOf(key, dated.occurredAt, now, refuse);
    if (attribute === null || value === null || occurredAt === null) continue;
    judged.writes.push({ attribute, value, occurredAt });
    if (attribute.id === NEW) judged.found.push(attribute);
  }
  return judged;
}

/** The id of an attribute that is not defined yet. */
const NEW = 0;

/** The effect of a write on the player's value. */
export function resultOf(stored: AttributeValue | undefined, { value, occurredAt }: AttributeValue): WriteResult {
  if (stored === undefined) return "Changed";
  if (occurredAt < stored.occurredAt) return "Stale";
  return compareScalars(stored.value, value) === 0 ? "Unchanged" : "Changed";
}

/** Reports a problem. The message is only built if it is listed. */
type Refuse = (code: ErrorCode, message: () => string, ...member: string[]) => null;

function refuseNothing(key: string, isDated: boolean, refuse: Refuse): void {
  if (isDated) refuse("request.invalid", () => `The attribute "${shortened(key)}" has no value.`, "value");
  else refuse("request.invalid", () => `The attribute "${shortened(key)}" must have a value.`);
}

/** With discovery on, an undefined attribute is a new one of its value's kind. */
function definitionOf(
  key: string,
  value: unknown,
  { attributesByKey, budget: { attributes: budget, room } }: Pick<Definitions, "attributesByKey" | "budget">,
  found: number,
  refuse: Refuse,
): AttributeDefinition | null {
  const attribute = attributesByKey.get(key);
  if (attribute !== undefined) {
    return attribute.active ? attribute : refuse("player_attribute.inactive", () => `The attribute "${key}" is switched off.`);
  }
  const message = () => `There is no attribute "${shortened(key)}" in this environment`;
  if (budget === null) return refuse("player_attribute.not_found", () => `${message()}.`);
  if (!canBeKey(key)) return refuse("player_attribute.not_found", () => `${message()}, and none can have this key: ${NOT_A_KEY}.`);
  if (found >= budget) {
    const limit = found < quotaLeft(room) ? `at most ${MAX_DISCOVERED.attributes} are` : FULL;
    return refuse("player_attribute.not_found", () => `${message()}, and no more are defined by their first value: ${limit}.`);
  }
  if (value === null || value === undefined) return null;
  const type = typeOfFirst(value);
  if (type === null) {
    const expected = "a string, a number, true or false";
    return refuse("player_attribute.type_mismatch", () => `The attribute "${key}" is new, and must be ${expected}.`);
  }
  return { id: NEW, key, active: true, type };
}

function valueOf({ key, type }: AttributeDefinition, value: unknown, refuse: Refuse): Scalar | null {
  if (value === null || value === undefined) return null;
  const scalar = storedScalar(type, value);
  if (scalar !== undefined) return scalar;
  const { isOutOfRange, text } = misfit(type, value);
  return refuse(
    isOutOfRange ? "player_attribute.value_out_of_range" : "player_attribute.type_mismatch",
    () => `The attribute "${key}" ${text}`,
  );
}

function occurredAtOf(key: string, given: unknown, now: number, refuse: Refuse): number | null {
  if (given === undefined || given === null) return now;
  const instant = typeof given === "string" ? parseInstant(given) : null;
  if (instant !== null) {
    if (!isTooFarAhead(instant, now)) return instant;
    return refuse("request.invalid", () => `occurredAt of the attribute "${shortened(key)}" ${TOO_FAR_AHEAD}`, "occurredAt");
  }
  const example = "an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z";
  return refuse("player_attribute.occurred_at_invalid", () => `occurredAt of the attribute "${shortened(key)}" must be ${example}.`);
}
