import { isNumeric, type ScalarType } from "../kernel/values.ts";
import { capitalised } from "../kernel/thousands.ts";
import { KEY, MAX_LIST } from "../rules/shapes.ts";
import { roomIn } from "./bounds.ts";
import { type Extent, MAX_DEFINITION_BYTES, MAX_DEFINITIONS } from "./extent.ts";
import type { Definitions, PropertyDefinition } from "./compiled.ts";
import type { Shaped } from "./contract.ts";
import { contentOf, type Plan } from "./plan.ts";
import type { Stored, StoredDefinitions } from "./stored.ts";

/** Limits of discovery: definitions of an environment, and properties of an event. Authored ones do not count. */
export const MAX_DISCOVERED = { events: 500, attributes: 500, properties: 100 };

/** Upper bounds of the bytes of a discovered definition without properties, and of a property: a key has 100 characters at most. */
export const MAX_DISCOVERED_BYTES = { definition: 512, property: 256 };

/** Why a full environment discovers nothing more. */
export const FULL = `an environment has at most ${MAX_DEFINITIONS.toLocaleString("en")} definitions of all kinds together and ${MAX_DEFINITION_BYTES / 1024 ** 2} MB of them`;

/** How many definitions without properties fit into the remaining quota. */
export const quotaLeft = ({ definitions, bytes }: Extent): number =>
  Math.min(definitions, Math.floor(bytes / MAX_DISCOVERED_BYTES.definition));

/** Definitions to create from their first occurrence. */
export interface Discovered {
  /** New properties by the key of their event; an unknown event is new itself, with or without properties. */
  events?: ReadonlyMap<string, readonly PropertyDefinition[]>;
  attributes?: readonly { key: string; type: ScalarType }[];
}

export const NOT_A_KEY = "a key is up to 100 lowercase letters, digits and underscores, and begins with a letter";

/** Whether something can be defined under this key. */
export const canBeKey = (text: string): boolean => KEY.test(text);

/** The type that a first value gives, which is its kind in JSON: a date is a string. Null for a value without a type. */
export function typeOfFirst(value: unknown): Exclude<ScalarType, "DateTime"> | null {
  if (typeof value === "string") return "String";
  if (typeof value === "boolean") return "Boolean";
  return isNumeric(value) ? "Number" : null;
}

/** How many more events and attributes may be discovered (null if discovery is off), and the remaining quota of definitions. */
export function budgetsIn({ settings, lists }: StoredDefinitions): Definitions["budget"] {
  const room = roomIn({ lists });
  const budget = (kind: "events" | "attributes") =>
    settings.discovery?.[kind] === true
      ? Math.min(Math.max(0, MAX_DISCOVERED[kind] - lists[kind].filter(({ discovered }) => discovered).length), quotaLeft(room))
      : null;
  return { events: budget("events"), attributes: budget("attributes"), room };
}

/** How many more properties of an event may be discovered, within the limit of properties; null if discovery is off. */
export function propertyBudget(event: Stored<"events">, { discovery }: StoredDefinitions["settings"]): number | null {
  if (discovery?.events !== true) return null;
  const { length } = event.shaped.properties;
  return Math.max(0, Math.min(MAX_DISCOVERED.properties - discoveredOf(event).length, MAX_LIST - length));
}

/** The discovered properties that still exist. */
const discoveredOf = ({ discoveredProperties, shaped }: Stored<"events">): string[] =>
  shaped.properties.map(({ key }) => key).filter((key) => discoveredProperties.includes(key));

/** The plan that defines these new definitions; texts are in the project's default language. */
export function planDiscovery(
  { events = new Map(), attributes = [] }: Discovered,
  { lists }: StoredDefinitions,
  language: string,
): Discovery {
  const plan: Discovery = { additions: [], updates: [] };
  const storedEvents = new Map(lists.events.map((event) => [event.shaped.key, event]));
  for (const [key, properties] of events) {
    const stored = storedEvents.get(key);
    if (stored === undefined) addEvent(plan, key, properties, language);
    else widenEvent(plan, stored, properties);
  }
  for (const { key, type } of attributes) {
    const shaped: Shaped<"attributes"> = { key, name: nameOf(key, language), active: true, type };
    plan.additions.push({ kind: "attributes", key, ...contentOf(shaped), discovered: true, discoveredProperties: [] });
  }
  return plan;
}

interface Discovery {
  additions: (Plan["additions"][number] & { discovered: true; discoveredProperties: string[] })[];
  updates: (Plan["updates"][number] & { discoveredProperties: string[] })[];
}

function addEvent({ additions }: Discovery, key: string, properties: readonly PropertyDefinition[], language: string): void {
  const shaped: Shaped<"events"> = { key, name: nameOf(key, language), active: true, properties: [...properties] };
  additions.push({
    kind: "events",
    key,
    ...contentOf(shaped),
    discovered: true,
    discoveredProperties: properties.map((property) => property.key),
  });
}

function widenEvent({ updates }: Discovery, event: Stored<"events">, properties: readonly PropertyDefinition[]): void {
  updates.push({
    id: event.id,
    ...contentOf({ ...event.shaped, properties: [...event.shaped.properties, ...properties] }),
    discoveredProperties: [...discoveredOf(event), ...properties.map(({ key }) => key)],
  });
}

/** A readable name from a key: "order_placed" is "Order placed". */
function nameOf(key: string, language: string): Shaped<"events">["name"] {
  const words = key
    .split("_")
    .filter((word) => word !== "")
    .join(" ");
  return { default: language, texts: { [language]: capitalised(words) } };
}
