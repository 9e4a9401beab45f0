import { mapInSteps, type Steps } from "../kernel/steps.ts";
import { type Settings, settingsShape } from "./contract.ts";
import { bytesOf } from "./extent.ts";
import { hasKey, type Kind, KINDS, type Shaped, shapedOf, SHAPES } from "./kinds.ts";

/** The discovered parts of a definition: all of it, or some properties of an event. */
interface Origin {
  discovered: boolean;
  discoveredProperties: readonly string[];
}

/** A stored definition, in the form of the file. `id` is also the order of creation, `bytes` what its body takes as JSON. */
export type Stored<K extends Kind = Kind> = {
  [One in K]: Origin & {
    id: number;
    kind: One;
    createdAt: number;
    updatedAt: number;
    changedAt: number;
    bytes: number;
    shaped: Shaped<One>;
  };
}[K];

/** Everything an environment defines. Lists are in the order of creation. */
export interface StoredDefinitions {
  settings: Settings & { id: number | null };
  lists: { [K in Kind]: readonly Stored<K>[] };
  /** The rollups that folds keep for conditions over history (rollups.ts). */
  rollups: readonly { id: number; key: string }[];
}

/** The definitions as if all of them had been created at an instant. */
export function asIfCreatedAt(stored: StoredDefinitions, createdAt: number): StoredDefinitions {
  const lists = Object.fromEntries(KINDS.map((kind) => [kind, stored.lists[kind].map((one) => ({ ...one, createdAt }))]));
  return { ...stored, lists: lists as unknown as StoredDefinitions["lists"] };
}

/** A row of the one table of all kinds; `body` is the definition without `key` and `active`. */
export interface DefinitionRow extends Origin {
  id: number;
  kind: string;
  key: string;
  active: boolean;
  body: unknown;
  createdAt: number;
  updatedAt: number;
  /** Real time; `createdAt` and `updatedAt` are on the environment's clock. */
  changedAt: number;
}

/** The settings of an environment are stored as a definition. */
export const SETTINGS = { kind: "settings", key: "environment" } as const;

/** Rollups are stored as definitions too, with ids of the same sequence. */
export const ROLLUP = "rollup";

const NO_SETTINGS = settingsShape.parse({});

/**
 * Rows in the form of the file. They are parsed by the shapes again: that restores the order of members, which the database does not keep,
 * and adds this version's defaults to older definitions.
 */
export function* readStored(rows: readonly DefinitionRow[]): Steps<StoredDefinitions> {
  const settings = rows.find(({ kind }) => kind === SETTINGS.kind);
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const lists: Record<string, unknown> = {};
  for (const kind of KINDS) lists[kind] = yield* mapInSteps(byKind.get(kind) ?? [], (row) => readRow(kind, row));
  return {
    settings: settings === undefined ? { ...NO_SETTINGS, id: null } : { ...settingsShape.parse(settings.body), id: settings.id },
    lists: lists as unknown as StoredDefinitions["lists"],
    rollups: (byKind.get(ROLLUP) ?? []).map(({ id, key }) => ({ id, key })),
  };
}

/** Definitions after a write: with these rows, new or changed, and without the removed ids. The order stays that of creation. */
export function* afterWrite(
  before: StoredDefinitions,
  rows: readonly DefinitionRow[],
  removed: readonly number[],
): Steps<StoredDefinitions> {
  const written = yield* readStored(rows);
  const gone = new Set(removed);
  const merged = <One extends { id: number }>(old: readonly One[], own: readonly One[]): One[] =>
    [...new Map([...old, ...own].map((one) => [one.id, one])).values()].filter(({ id }) => !gone.has(id));
  const lists = KINDS.map((kind) => [kind, merged<Stored>(before.lists[kind], written.lists[kind])]);
  return {
    settings: written.settings.id === null ? before.settings : written.settings,
    lists: Object.fromEntries(lists) as unknown as StoredDefinitions["lists"],
    rollups: merged(before.rollups, written.rollups),
  };
}

function readRow<K extends Kind>(kind: K, { id, key, active, body, ...row }: DefinitionRow) {
  const shaped = SHAPES[kind].safeParse(hasKey(kind) ? { ...(body as object), key, active } : body);
  if (!shaped.success)
    throw new Error(`The stored definition ${id} (${kind}, ${key}) does not have the shape of its kind: ${shaped.error.message}`);
  const { createdAt, updatedAt, changedAt, discovered, discoveredProperties } = row;
  return {
    id,
    kind,
    createdAt,
    updatedAt,
    changedAt,
    discovered,
    discoveredProperties,
    bytes: bytesOf(body),
    shaped: shapedOf<Kind>(kind, shaped.data as never, active),
  };
}
