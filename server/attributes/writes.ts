import type { AttributeDefinition, Definitions } from "../definitions/compiled.ts";
import { numberFits } from "../kernel/decimal.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { jsonPointer } from "../kernel/json.ts";
import { compareScalars } from "../kernel/operators.ts";
import type { AttributeValue } from "../kernel/player.ts";
import type { ProblemEntry } from "../kernel/problem.ts";
import { formatInstant, parseInstant } from "../kernel/time.ts";
import { isJsonObject, isNumeric, type Scalar } from "../kernel/values.ts";

/** A value that an attribute may take. */
export interface AttributeWrite extends AttributeValue {
  attribute: AttributeDefinition;
}

export type WriteResult = "Changed" | "Unchanged" | "Stale";

/** Judges the values of one request (api.md 4.2): every problem is listed, in the order sent. `now` stands in for an instant left out. */
export function judgeWrites(
  values: Record<string, unknown>,
  definitions: Definitions,
  now: number,
): { writes: AttributeWrite[]; problems: ProblemEntry[] } {
  const writes: AttributeWrite[] = [];
  const problems: ProblemEntry[] = [];
  for (const [key, given] of Object.entries(values)) {
    const refuse: Refuse = (code, message) => {
      problems.push({ code, message, pointer: jsonPointer(["attributes", key]) });
      return null;
    };
    const dated = isJsonObject(given) ? given : { value: given };
    const attribute = definitionOf(key, definitions, refuse);
    const value = attribute === null ? null : valueOf(attribute, dated.value, refuse);
    const occurredAt = occurredAtOf(key, dated.occurredAt, now, refuse);
    if (attribute !== null && value !== null && occurredAt !== null) writes.push({ attribute, value, occurredAt });
  }
  return { writes, problems };
}

/** What a write makes of the value that the player has (api.md 3.3; decisions.md 2.12). */
export function resultOf(stored: AttributeValue | undefined, { value, occurredAt }: AttributeWrite): WriteResult {
  if (stored === undefined) return "Changed";
  if (occurredAt < stored.occurredAt) return "Stale";
  return compareScalars(stored.value, value) === 0 ? "Unchanged" : "Changed";
}

type Refuse = (code: ErrorCode, message: string) => null;

function definitionOf(key: string, definitions: Definitions, refuse: Refuse): AttributeDefinition | null {
  const attribute = definitions.attributesByKey.get(key);
  if (attribute === undefined)
    return refuse("player_attribute.not_found", `There is no attribute "${key.slice(0, 100)}" in this environment.`);
  return attribute.active ? attribute : refuse("player_attribute.inactive", `The attribute "${key}" is switched off.`);
}

function valueOf({ key, type }: AttributeDefinition, value: unknown, refuse: Refuse): Scalar | null {
  const mismatch = (expected: string) => refuse("player_attribute.type_mismatch", `The attribute "${key}" must be ${expected}.`);
  switch (type) {
    case "String":
      return typeof value === "string" ? value : mismatch("a string");
    case "Boolean":
      return typeof value === "boolean" ? value : mismatch("true or false");
    case "DateTime": {
      const instant = typeof value === "string" ? parseInstant(value) : null;
      return instant === null ? mismatch("an RFC 3339 timestamp with an offset or Z") : formatInstant(instant);
    }
    case "Number":
      if (!isNumeric(value)) return mismatch("a number");
      if (numberFits(value)) return value;
      return refuse(
        "player_attribute.value_out_of_range",
        `The attribute "${key}" has more than 20 digits before or 8 after the decimal point. Send identifiers as strings.`,
      );
  }
}

function occurredAtOf(key: string, given: unknown, now: number, refuse: Refuse): number | null {
  if (given === undefined || given === null) return now;
  const instant = typeof given === "string" ? parseInstant(given) : null;
  if (instant !== null) return instant;
  const example = "an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z";
  return refuse("player_attribute.occurred_at_invalid", `occurredAt of the attribute "${key.slice(0, 100)}" must be ${example}.`);
}
