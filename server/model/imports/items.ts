import { hash } from "node:crypto";
import { Decimal } from "../kernel/decimal.ts";
import { parseJson, writeJson } from "../kernel/json.ts";
import { isJsonObject, type ScalarType } from "../kernel/values.ts";
import { shortened } from "../rules/naming.ts";
import { type Format, Unreadable } from "./reading.ts";

const IMPORT_KINDS = ["players", "attributes", "events", "points"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

type Fields = Readonly<Record<string, unknown>>;

/** The types of an environment's attributes and properties. */
interface Types {
  eventsByKey: ReadonlyMap<string, { properties: ReadonlyMap<string, { type: ScalarType }> }>;
  attributesByKey: ReadonlyMap<string, { type: ScalarType }>;
}

/** The fields of a line that every file of its kind may have, the needed ones first; all others are attributes or properties. */
const FIELDS = {
  players: { needed: ["playerId"], more: ["displayName", "timeZoneId", "firstSeenAt"], rest: null },
  attributes: { needed: ["playerId"], more: ["occurredAt"], rest: "attributes" },
  events: { needed: ["playerId", "event", "occurredAt"], more: ["idempotencyKey"], rest: "properties" },
  points: { needed: ["playerId", "points"], more: ["idempotencyKey"], rest: null },
} as const satisfies Record<ImportKind, { needed: readonly string[]; more: readonly string[]; rest: "attributes" | "properties" | null }>;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");

/** The field that a column of CSV holds: "Player ID" and "player_id" hold playerId. Null: an attribute or a property. */
const fieldOf = (kind: ImportKind, column: string): string | null =>
  [...FIELDS[kind].needed, ...FIELDS[kind].more].find((name) => plain(name) === plain(column)) ?? null;

/** The key of an attribute or a property: "properties.amount" and "amount" hold the same one. */
const keyIn = (rest: string | null, column: string): string => (column.startsWith(`${rest}.`) ? column.slice(`${rest}.`.length) : column);

/** Checks the header of a CSV file against its kind. Throws Unreadable. */
export function checkColumns(kind: ImportKind, columns: readonly string[]): void {
  const { needed, more, rest } = FIELDS[kind];
  const fields = columns.map((column) => fieldOf(kind, column));
  const missing = needed.filter((name) => !fields.includes(name));
  if (missing.length > 0) throw new Unreadable(`The first line must name the columns. It has no ${missing.join(" and no ")}.`);
  const unknown = columns.filter((column, at) => column !== "" && fields[at] === null);
  if (rest === null && unknown.length > 0)
    throw new Unreadable(
      `The column ${shortened(unknown[0]!)} has no meaning here. The columns of ${kind} are ${[...needed, ...more].join(", ")}.`,
    );
  const names = columns.map((column, at) => (column === "" ? at : (fields[at] ?? `${rest}.${keyIn(rest, column)}`)));
  const again = names.findIndex((name, at) => names.indexOf(name) < at);
  if (again >= 0) {
    const [first, second] = [names.indexOf(names[again]!), again].map((at) => shortened(columns[at]!));
    throw new Unreadable(`The columns ${first} and ${second} have the same meaning. Keep one of them.`);
  }
  if (kind === "attributes" && unknown.length === 0) throw new Unreadable("The first line names no attribute: add a column for each.");
}

/** A line in the shape of its JSON form, unchecked: cells of CSV get the types that the definitions give them. */
export function fieldsOf(kind: ImportKind, format: Format, record: Fields, types: Types): Fields {
  if (format === "jsonl") return record;
  const { rest } = FIELDS[kind];
  const fields: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  const event = kind === "events" ? eventOf(record, types) : undefined;
  for (const [column, cell] of Object.entries(record) as [string, string][]) {
    const field = fieldOf(kind, column);
    if (field !== null) fields[field] = field === "points" ? typed(cell, "Number") : cell;
    else if (rest !== null) {
      const key = keyIn(rest, column);
      const type = kind === "events" ? event?.properties.get(key)?.type : types.attributesByKey.get(key)?.type;
      others[key] = typed(cell, type);
    }
  }
  return rest === null ? fields : { ...fields, [rest]: others };
}

function eventOf(record: Fields, { eventsByKey }: Types) {
  const column = Object.keys(record).find((name) => fieldOf("events", name) === "event");
  return column === undefined ? undefined : eventsByKey.get(String(record[column]));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A cell as a value of a type, and without one as what it looks like. A cell that does not fit stays text, and is rejected as such. */
function typed(cell: string, type: ScalarType | undefined): unknown {
  if ((type === "Number" || type === undefined) && NUMBER.test(cell)) return parseJson(cell);
  if ((type === "Boolean" || type === undefined) && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === "true";
  return cell;
}

/** A UUID of a line's content, independent of the order of its members. Equal lines have equal UUIDs. */
export function fingerprintOf(kind: ImportKind, fields: unknown, reason: string | null): string {
  const hex = hash("sha256", writeJson([kind, reason, sorted(fields)]), "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** The same value for equal numbers, such as 1 and 1.0, and for members in any order. */
function sorted(value: unknown): unknown {
  if (value instanceof Decimal) return value.toString();
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
