import type { EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { canBeKey, FULL, MAX_DISCOVERED, NOT_A_KEY, quotaLeft } from "../definitions/discovery.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { isTooFarAhead, TOO_FAR_AHEAD } from "../kernel/facts.ts";
import { badTextIn } from "../kernel/json.ts";
import { type ListedProblem, Problems } from "../kernel/problem.ts";
import { parseInstant } from "../kernel/time.ts";
import { isJsonObject, type Properties } from "../kernel/values.ts";
import { keyedEventId, type PlayerKey, playerKey } from "../players/identity.ts";
import { shortened } from "../rules/naming.ts";
import type { Find, KnownEvents } from "./known.ts";
import { PropertiesCheck } from "./properties.ts";

/** An accepted item. `id` is null without an idempotency key: it gets a new one. */
export interface AcceptedItem extends PlayerKey {
  externalId: string;
  id: string | null;
  definitionId: number;
  occurredAt: number;
  properties: Properties;
}

export type JudgedItem =
  /** With a discovery (`find`), the item may only be written once that is defined. */
  | { accepted: AcceptedItem; find: Find | null }
  /** `replayOf` is the event that the item replays, should it be in the log. */
  | { errors: ListedProblem[]; replayOf: (PlayerKey & { id: string }) | null };

const MAX_LENGTH = 200;

/** By code points, as the contract counts; cheap for short and for far too long texts. */
const isTooLong = (text: string): boolean => text.length > 2 * MAX_LENGTH || (text.length > MAX_LENGTH && [...text].length > MAX_LENGTH);

/** The inputs for judging items, besides the events. */
export interface Judging {
  environmentId: number;
  /** The instant of receipt, on the environment's clock. */
  now: number;
  /** False where the request's text rules out NUL characters and lone surrogates. */
  mayHoldBadText: boolean;
}

/** An element of a batch, judged but for its properties. */
export interface OpenItem {
  /** Null if they cannot be checked. */
  properties: PropertiesCheck | null;
  /** Call it after the last step of the properties. */
  close(): JudgedItem;
}

/**
 * Judges one element of a batch. It lists every problem up to a limit, in the order of the contract's fields. A refused item discovers
 * nothing.
 */
export function openItem(item: unknown, known: KnownEvents, { environmentId, now, mayHoldBadText }: Judging, maxListed: number): OpenItem {
  const errors = new Problems<ListedProblem>(maxListed);
  const refuse = (code: ErrorCode, message: string): null => errors.add(() => ({ code, message }));
  if (!isJsonObject(item)) {
    refuse("event.invalid", "An item of the batch must be an object.");
    return { properties: null, close: () => ({ errors: errors.list(), replayOf: null }) };
  }

  const badText = mayHoldBadText ? badTextIn(item) : null;
  if (badText !== null) refuse("event.invalid", `The text at ${badText} has a NUL character or a lone surrogate.`);
  const externalId = playerIdOf(item.playerId, refuse);
  const eventKey = eventKeyOf(item.event, refuse);
  const definition = eventKey === null ? null : definitionOf(eventKey, known, refuse);
  const occurredAt = occurredAtOf(item.occurredAt, now, refuse);
  const idempotencyKey = idempotencyKeyOf(item.idempotencyKey, refuse);
  const found: PropertyDefinition[] | null = definition === null || definition.budget === null ? null : [];
  const properties = openProperties(item.properties, definition, found, errors);
  return { properties, close };

  function close(): JudgedItem {
    const player = externalId === null ? null : playerKey(environmentId, externalId);
    const id =
      player !== null && eventKey !== null && typeof idempotencyKey === "string"
        ? keyedEventId(player.playerId, eventKey, idempotencyKey)
        : null;
    const stored = properties === null ? null : properties.stored;
    if (!errors.isEmpty || player === null || externalId === null || definition === null || occurredAt === null || stored === null) {
      return { errors: errors.list(), replayOf: player === null || id === null || badText !== null ? null : { ...player, id } };
    }
    const { part, playerId } = player;
    const accepted = { part, playerId, externalId, id, definitionId: definition.id, occurredAt, properties: stored };
    const findsSomething = found !== null && (found.length > 0 || known.get(definition.key) === undefined);
    return { accepted, find: findsSomething ? { event: definition, properties: found } : null };
  }
}

type Refuse = (code: ErrorCode, message: string) => null;

function playerIdOf(value: unknown, refuse: Refuse): string | null {
  if (value === undefined || value === null) return refuse("player.external_id_missing", "playerId is missing.");
  if (typeof value !== "string") return refuse("event.invalid", "playerId must be a string.");
  if (value.trim() === "") return refuse("player.external_id_missing", "playerId is empty.");
  return isTooLong(value) ? refuse("player.external_id_too_long", `playerId is longer than ${MAX_LENGTH} characters.`) : value;
}

function eventKeyOf(value: unknown, refuse: Refuse): string | null {
  if (value === undefined || value === null) return refuse("event.key_missing", "event is missing.");
  if (typeof value !== "string") return refuse("event.invalid", "event must be a string.");
  return value.trim() === "" ? refuse("event.key_missing", "event is empty.") : value;
}

/** With discovery on, an undefined event is a new one, without properties yet. */
function definitionOf(key: string, known: KnownEvents, refuse: Refuse): EventDefinition | null {
  const definition = known.get(key);
  if (definition !== undefined) return definition.active ? definition : refuse("event.inactive", `The event "${key}" is switched off.`);
  const message = `There is no event "${shortened(key)}" in this environment`;
  if (known.budget === null || !canBeKey(key)) {
    const meant = known.closest(key);
    if (meant !== null) return refuse("event.not_found", `${message}. Did you mean "${meant}"?`);
    return refuse("event.not_found", known.budget === null ? `${message}.` : `${message}, and none can have this key: ${NOT_A_KEY}.`);
  }
  if (known.budget > 0) return known.newEvent(key);
  const limit = quotaLeft(known.room) > 0 ? `${MAX_DISCOVERED.events} have been` : FULL;
  return refuse("event.not_found", `${message}, and no more are defined by their first occurrence: ${limit}.`);
}

function occurredAtOf(value: unknown, now: number, refuse: Refuse): number | null {
  if (value === undefined || value === null) return refuse("event.occurred_at_missing", "occurredAt is missing.");
  if (typeof value !== "string") return refuse("event.invalid", "occurredAt must be a string.");
  const instant = parseInstant(value);
  if (instant === null) {
    return refuse(
      "event.occurred_at_invalid",
      "occurredAt must be an RFC 3339 timestamp with an offset or Z, such as 2026-01-31T09:00:00Z.",
    );
  }
  return isTooFarAhead(instant, now) ? refuse("event.invalid", `occurredAt ${TOO_FAR_AHEAD}`) : instant;
}

/** The key; undefined if absent or blank, null if refused. */
function idempotencyKeyOf(value: unknown, refuse: Refuse): string | null | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") return refuse("event.invalid", "idempotencyKey must be a string.");
  if (value.trim() === "") return undefined;
  return isTooLong(value) ? refuse("event.idempotency_key_too_long", `idempotencyKey is longer than ${MAX_LENGTH} characters.`) : value;
}

function openProperties(
  value: unknown,
  definition: EventDefinition | null,
  found: PropertyDefinition[] | null,
  errors: Problems<ListedProblem>,
): PropertiesCheck | null {
  if (value !== undefined && value !== null && !isJsonObject(value)) {
    return errors.add(() => ({ code: "event.invalid", message: "properties must be an object." }));
  }
  if (definition === null) return null;
  return new PropertiesCheck(definition, value ?? {}, found, (code, _, message) => errors.add(() => ({ code, message: message() })));
}
