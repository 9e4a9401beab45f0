import type { Definitions, EventDefinition, PropertyDefinition } from "../definitions/compiled.ts";
import { MOST_DISCOVERED } from "../definitions/discovery.ts";

/** A discovery: new properties of a known event, or a new event with its properties. */
export interface Find {
  event: EventDefinition;
  properties: PropertyDefinition[];
}

/**
 * The events by which the items of a batch are judged, one after the other: those of the environment, with what the items
 * before have found added to them. So the first item defines, and the later ones are held to it.
 */
export class KnownEvents {
  readonly #definitions: Pick<Definitions, "eventsByKey" | "budget">;
  readonly #changed = new Map<string, EventDefinition>();
  /** The new properties by the key of their event; an event that is not there is new itself. */
  readonly found = new Map<string, PropertyDefinition[]>();
  /** How many more events may be discovered; null where discovery is off. */
  budget: number | null;

  constructor(definitions: Pick<Definitions, "eventsByKey" | "budget">) {
    this.#definitions = definitions;
    this.budget = definitions.budget.events;
  }

  get(key: string): EventDefinition | undefined {
    return this.#changed.get(key) ?? this.#definitions.eventsByKey.get(key);
  }

  /** An event that nobody has defined, as its first occurrence finds it. */
  newEvent(key: string): EventDefinition {
    return { id: 0, key, active: true, properties: new Map(), budget: MOST_DISCOVERED.properties };
  }

  add({ event, properties }: Find): void {
    const { key, budget } = event;
    if (this.budget !== null && this.get(key) === undefined) this.budget--;
    const known = new Map(event.properties);
    for (const property of properties) known.set(property.key, property);
    this.#changed.set(key, { ...event, properties: known, budget: budget === null ? null : budget - properties.length });
    this.found.set(key, [...(this.found.get(key) ?? []), ...properties]);
  }
}
