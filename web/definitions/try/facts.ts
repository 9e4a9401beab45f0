import { writeJson } from "#server/model/kernel/json.ts";
import type { Scalar, ScalarType } from "#server/model/kernel/values.ts";
import type { Catalogue } from "../catalogue.ts";
import { numberOf } from "../fields/numbers.ts";

export interface DraftFact {
  /** Row id. */
  id: number;
  kind: "events" | "metrics" | "attributes";
  key: string;
  /** RFC 3339; null while incomplete. */
  occurredAt: string | null;
  /** Typed property values; empty: not set. */
  properties: Readonly<Record<string, string>>;
  /** The typed value of a metric or an attribute. */
  value: string;
}

export interface FactInput {
  kind: DraftFact["kind"];
  key: string;
  occurredAt: string;
  properties: string;
  value: string | null;
}

/** The available kinds of facts: "events/order_placed". */
export interface FactKind {
  kind: DraftFact["kind"];
  key: string;
  name: string;
  properties: readonly { key: string; type: ScalarType; required?: boolean }[];
  /** The type of its value; null for events. */
  valueType: ScalarType | null;
}

export const factKinds = ({ events, metrics, attributes }: Pick<Catalogue, "events" | "metrics" | "attributes">): FactKind[] => [
  ...events.filter(({ active }) => active).map((one) => ({ ...one, kind: "events" as const, valueType: null })),
  ...metrics.filter(({ active }) => active).map((one) => ({ ...one, kind: "metrics" as const, valueType: "Number" as const })),
  ...attributes
    .filter(({ active }) => active)
    .map(({ type, ...one }) => ({ ...one, kind: "attributes" as const, properties: [], valueType: type })),
];

export const factName = ({ kind, key }: Pick<DraftFact, "kind" | "key">): string => `${kind}/${key}`;

const MEMBERS = { event: "events", metric: "metrics", attribute: "attributes" } as const;

/** The facts and properties that a definition reads, without its audience. */
export interface ReadKeys {
  /** Names of fact kinds, in order of appearance. */
  facts: string[];
  /** Property keys, of any event. */
  properties: Set<string>;
}

/** Empty for invalid JSON. */
export function keysReadBy(document: string): ReadKeys {
  const named = { facts: new Set<string>(), properties: new Set<string>() };
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (typeof value !== "object" || value === null) return;
    for (const [member, one] of Object.entries(value)) {
      if (member === "audience" || member === "rewards") continue;
      if (member === "property" && typeof one === "string") named.properties.add(one);
      else if (member in MEMBERS && typeof one === "string") {
        named.facts.add(factName({ kind: MEMBERS[member as keyof typeof MEMBERS], key: one }));
      } else look(one);
    }
  };
  try {
    look(JSON.parse(document));
  } catch {
    return { facts: [], properties: new Set() };
  }
  return { facts: [...named.facts], properties: named.properties };
}

/** The properties shown initially: those that the definition reads, required ones, and filled ones. */
export const propertiesAtOnce = ({ properties }: DraftFact, known: FactKind, named: Pick<ReadKeys, "properties">): FactKind["properties"] =>
  known.properties.filter(({ key, required }) => named.properties.has(key) || required === true || (properties[key] ?? "") !== "");

/** Parses typed JSON; a value that does not match its type is sent as text, for the service to report. */
function valueOf(type: ScalarType, text: string): Scalar {
  if (type === "Boolean") return text === "true" ? true : text === "false" ? false : text;
  const number = type === "Number" ? numberOf(text) : null;
  return number === null || Number.isNaN(number) ? text : number;
}

/** A row as trial input, without empty properties. */
export function inputOf({ kind, key, occurredAt, properties, value }: DraftFact, known: FactKind | undefined): FactInput {
  const given = (known?.properties ?? []).flatMap((property): [string, Scalar][] => {
    const text = properties[property.key] ?? "";
    return text === "" ? [] : [[property.key, valueOf(property.type, text)]];
  });
  const type = known?.valueType ?? null;
  return {
    kind,
    key,
    occurredAt: occurredAt ?? "",
    properties: writeJson(Object.fromEntries(given)),
    value: type === null || value === "" ? null : writeJson(valueOf(type, value)),
  };
}

export interface DraftScene {
  /** Null: a new player without history. */
  player: string | null;
  with: "History" | "Invented";
  /** From when the player is assumed to meet the audience; null: as recorded. */
  from: string | null;
  /** Null until the list was opened: it starts with the facts that the definition reads. */
  facts: DraftFact[] | null;
  /** The typed balance; empty: the player's own. */
  balance: string;
  ignoreAudience: boolean;
}

export const EMPTY_SCENE: DraftScene = { player: null, with: "Invented", from: null, facts: null, balance: "", ignoreAudience: false };
