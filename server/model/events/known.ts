import type { Definitions, EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { Suggestions } from "../definitions/problems.ts";
import { MAX_DISCOVERED_BYTES, MAX_DISCOVERED, quotaLeft } from "../definitions/discovery.ts";

/** A discovery: new properties of a known event, or a new event with its properties. */
export interface Find {
  event: EventDefinition;
  properties: PropertyDefinition[];
}

/** Each suggestion compares a key with those of all events, and a batch with more different unknown keys does not have typos. */
const MAX_SUGGESTIONS = 10;

/**
 * The events for judging the items of a batch in order: those of the environment, plus the finds of earlier items. So the first item
 * defines a property, and later ones must conform to it.
 */
export class KnownEvents {
  readonly #definitions: Pick<Definitions, "eventsByKey" | "budget">;
  readonly #suggestions = new Suggestions(MAX_SUGGESTIONS);
  readonly #changed = new Map<string, EventDefinition>();
  /** The new properties by the key of their event; an unknown event is new itself. */
  readonly found = new Map<string, PropertyDefinition[]>();
  /** How many more events may be discovered; null where discovery is off. */
  budget: number | null;
  /** The environment's remaining quota. */
  room: Definitions["budget"]["room"];

  constructor(definitions: Pick<Definitions, "eventsByKey" | "budget">) {
    this.#definitions = definitions;
    this.budget = definitions.budget.events;
    this.room = definitions.budget.room;
  }

  /** The event whose key was probably meant; null if none is close. */
  closest(key: string): string | null {
    return this.#suggestions.for(key, "events", () => this.#definitions.eventsByKey.keys());
  }

  get(key: string): EventDefinition | undefined {
    const event = this.#changed.get(key) ?? this.#definitions.eventsByKey.get(key);
    if (event === undefined || event.budget === null) return event;
    const budget = this.#within(event.budget, this.room.bytes);
    return budget === event.budget ? event : { ...event, budget };
  }

  #within(budget: number, bytes: number): number {
    return Math.max(0, Math.min(budget, Math.floor(bytes / MAX_DISCOVERED_BYTES.property)));
  }

  /** An undefined event, as its first occurrence discovers it. */
  newEvent(key: string): EventDefinition {
    const budget = this.#within(MAX_DISCOVERED.properties, this.room.bytes - MAX_DISCOVERED_BYTES.definition);
    return { id: 0, key, active: true, properties: new Map(), budget };
  }

  add({ event, properties }: Find): void {
    const { key, budget } = event;
    let { definitions, bytes } = this.room;
    bytes -= properties.length * MAX_DISCOVERED_BYTES.property;
    if (this.budget !== null && this.get(key) === undefined) {
      definitions -= 1;
      bytes -= MAX_DISCOVERED_BYTES.definition;
      this.budget = Math.min(this.budget - 1, quotaLeft({ definitions, bytes }));
    }
    this.room = { definitions, bytes };
    const known = new Map(event.properties);
    for (const property of properties) known.set(property.key, property);
    this.#changed.set(key, { ...event, properties: known, budget: budget === null ? null : budget - properties.length });
    this.found.set(key, [...(this.found.get(key) ?? []), ...properties]);
  }
}
