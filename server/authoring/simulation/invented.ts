import { judgeWrites, resultOf } from "../../model/attributes/writes.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { checkProperties } from "../../model/events/properties.ts";
import { numberFits } from "../../model/kernel/decimal.ts";
import { type AttributeFact, type EventFact, isTooFarAhead } from "../../model/kernel/facts.ts";
import { parseJson } from "../../model/kernel/json.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import { atOnce } from "../../model/kernel/steps.ts";
import { parseInstant } from "../../model/kernel/time.ts";
import type { Player } from "../../model/kernel/player.ts";
import { isJsonObject, isNumeric } from "../../model/kernel/values.ts";
import { pointerTo, shortened } from "../../model/rules/naming.ts";
import type { InventedFact } from "./shapes.ts";

export type Happening = EventFact | AttributeFact;

/** After every real position in the order of facts. */
const AFTER_ALL = 1e15;

/** The invented facts, validated as in a request, in order of receipt; or every problem, by index. */
export function inventedFacts(
  given: readonly InventedFact[],
  definitions: Definitions,
  now: number,
): { facts: Happening[] } | { problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const facts = given.flatMap((one, index) => {
    const refuse = (message: string, ...member: string[]): null => {
      problems.push({ pointer: pointerTo([index, ...member]), message });
      return null;
    };
    const fact = factOf(one, index, definitions, now, refuse);
    return fact === null ? [] : [fact];
  });
  if (problems.length > 0) return { problems };
  const inOrder = facts.sort((a, b) => a.receivedAt - b.receivedAt);
  return { facts: inOrder.map((fact, index) => ({ ...fact, seq: AFTER_ALL + index })) };
}

/** Separates attribute writes that would change nothing from the other facts. */
export function thatChange(attributes: Player["attributes"], facts: readonly Happening[]): { facts: Happening[]; idle: AttributeFact[] } {
  const held = new Map(attributes);
  const idle: AttributeFact[] = [];
  const changing = facts.filter((fact) => {
    if (fact.kind === "event") return true;
    const { attributeId, value, occurredAt } = fact;
    const isChange = resultOf(held.get(attributeId), { value, occurredAt }) === "Changed";
    if (isChange) held.set(attributeId, { value, occurredAt });
    else idle.push(fact);
    return isChange;
  });
  return { facts: changing, idle };
}

type Refuse = (message: string, ...member: string[]) => null;

function factOf(given: InventedFact, place: number, definitions: Definitions, now: number, refuse: Refuse): Happening | null {
  const instant = "must be an instant such as 2026-01-31T09:00:00Z";
  const occurredAt = parseInstant(given.occurredAt) ?? refuse(instant, "occurredAt");
  const received = given.receivedAt === null ? occurredAt : parseInstant(given.receivedAt);
  const receivedAt = received ?? (given.receivedAt === null ? null : refuse(instant, "receivedAt"));
  if (occurredAt !== null && receivedAt !== null && isTooFarAhead(occurredAt, receivedAt))
    return refuse("is more than 24 hours after it is received", "occurredAt");
  if (given.kind === "attributes") return attributeOf(given, occurredAt, receivedAt, definitions, now, refuse);
  const definition = (given.kind === "events" ? definitions.eventsByKey : definitions.metricsByKey).get(given.key);
  const noun = given.kind === "events" ? "event" : "metric";
  if (definition === undefined) return refuse(`there is no ${noun} "${shortened(given.key)}"`, "key");
  if (!definition.active) refuse(`the ${noun} "${definition.key}" is switched off`, "key");
  const raw = parsed(given.properties) ?? {};
  const isObject = isJsonObject(raw);
  if (!isObject) refuse("must be an object", "properties");
  const properties = isObject
    ? atOnce(checkProperties(definition, raw, null, (_, key, message) => refuse(message(), "properties", key), noun))
    : null;
  const value = given.kind === "events" ? null : amountOf(given.value, refuse);
  if (occurredAt === null || receivedAt === null || properties === null || value === undefined || !definition.active) return null;
  return { kind: "event", id: `invented ${place}`, seq: 0, definitionId: definition.id, occurredAt, receivedAt, properties, value };
}

/** The amount; undefined if it was refused. */
function amountOf(text: string | null, refuse: Refuse) {
  const value = parsed(text ?? "");
  if (isNumeric(value) && numberFits(value)) return value;
  refuse("must be a number with at most 20 digits before and 8 after the decimal point", "value");
  return undefined;
}

function attributeOf(
  { key, value }: InventedFact,
  occurredAt: number | null,
  receivedAt: number | null,
  definitions: Definitions,
  now: number,
  refuse: Refuse,
): AttributeFact | null {
  const { writes, problems } = atOnce(
    judgeWrites({ [key]: { value: parsed(value ?? "") ?? null } }, { ...definitions, budget: NO_BUDGET }, now),
  );
  for (const { code, message } of problems.listed) refuse(message, code === "player_attribute.not_found" ? "key" : "value");
  const [write] = writes;
  if (write === undefined || occurredAt === null || receivedAt === null) return null;
  return { kind: "attribute", seq: 0, attributeId: write.attribute.id, value: write.value, occurredAt, receivedAt };
}

const NO_BUDGET: Definitions["budget"] = { events: null, attributes: null, room: { definitions: 0, bytes: 0 } };

/** The parsed JSON; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
