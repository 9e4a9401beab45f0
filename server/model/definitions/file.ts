import type { Steps } from "../kernel/steps.ts";
import type { Finding } from "../rules/finding.ts";
import { type Readable, readableOf } from "../rules/readable.ts";
import type { z } from "zod";
import { fileShape, type Settings, settingsShape } from "./contract.ts";
import { type Kind, KINDS, moduleOf, type Shaped, shapedOf } from "./kinds.ts";
import { type Image, readImages } from "../images/image.ts";
import { malformedParts } from "./well-formed.ts";
import { readShape } from "./zod-error-map.ts";
import { valueAt } from "./value-at.ts";

/** One definition of a file. `shaped` is null if the shape rejected it; its readable parts are checked all the same. */
export type Entry<K extends Kind = Kind> = {
  [One in K]: { kind: One; at: number; raw: unknown; shaped: Shaped<One> | null; readable: Readable<Shaped<One>> };
}[K];

/** A definitions file as its shapes read it. */
export interface File {
  /** The settings that the file gives; others stay unchanged. */
  settings: Partial<Settings>;
  /** Null for a list that is not in the file. */
  lists: { [K in Kind]: readonly Entry<K>[] | null };
  images: readonly Image[];
  findings: Finding[];
}

const NO_LISTS = Object.fromEntries(KINDS.map((kind) => [kind, null])) as unknown as File["lists"];

/** Parses a file by its shapes; references and other relations between definitions are left to the checks. */
export function* readFile(document: unknown): Steps<File> {
  const { findings, isTooLarge } = yield* malformedParts(document);
  if (isTooLarge) return { settings: {}, lists: NO_LISTS, images: [], findings };
  const around = readShape(fileShape, document);
  if ("findings" in around) addTo(findings, around.findings);
  const lists: Record<string, unknown> = {};
  for (const kind of KINDS) lists[kind] = yield* readList(kind, valueAt(document, [kind]), findings);
  if (findings.length >= MAX_FINDINGS) return { settings: {}, lists: NO_LISTS, images: [], findings };
  const given = readShape(fileShape.shape.images, valueAt(document, ["images"]));
  const { images, findings: found } = readImages("shaped" in given ? (given.shaped ?? []) : []);
  addTo(findings, found);
  return { settings: "shaped" in around ? givenSettings(around.shaped) : {}, lists: lists as unknown as File["lists"], images, findings };
}

const SETTINGS = Object.keys(settingsShape.shape) as (keyof Settings)[];

const givenSettings = (file: z.output<typeof fileShape>): Partial<Settings> =>
  Object.fromEntries(SETTINGS.flatMap((name) => (file[name] === null ? [] : [[name, file[name]]])));

/** Reading stops after this many problems: finding each takes time, and no one reads them all. */
const MAX_FINDINGS = 2_000;

function* readList<K extends Kind>(kind: K, list: unknown, findings: Finding[]): Steps<readonly Entry<K>[] | null> {
  if (!Array.isArray(list)) return null;
  const entries: Entry<K>[] = [];
  for (const [at, raw] of list.entries()) {
    if (findings.length >= MAX_FINDINGS) break;
    entries.push(readEntry(kind, raw, at, findings));
    yield;
  }
  return entries;
}

function readEntry<K extends Kind>(kind: K, raw: unknown, at: number, findings: Finding[]): Entry<K> {
  const result = readShape<unknown>(moduleOf(kind).shape, raw);
  const own = "findings" in result ? result.findings : [];
  addTo(
    findings,
    own.map(({ isUnknownMember: _, ...one }) => ({ ...one, path: [kind, at, ...one.path] })),
  );
  const shaped = "shaped" in result ? shapedOf<Kind>(kind, result.shaped as never) : null;
  return { kind, at, raw, shaped, readable: shaped ?? readableOf(raw, own) } as unknown as Entry<K>;
}

/** Adds one by one: a call cannot take a hundred thousand arguments. */
function addTo(findings: Finding[], more: readonly Finding[]): void {
  for (const one of more) findings.push(one);
}

/** The key of an entry in the file, even if the entry is invalid. */
export function keyOf({ kind, raw, shaped }: Entry): string | null {
  if (shaped !== null) return shaped.key;
  const key = valueAt(raw, [moduleOf(kind).identity]);
  return typeof key === "string" ? key : null;
}

/** A new definition that is created together with another one, which names it; `value` is its document. */
export interface Along {
  kind: Kind;
  value: unknown;
}

/** A file with one definition, the first of its list, and those created with it. */
export function fileWith(kind: Kind, value: unknown, along: readonly Along[]): Record<string, unknown> {
  const lists = Map.groupBy([{ kind, value }, ...along], (one) => one.kind);
  return { version: 1, ...Object.fromEntries([...lists].map(([list, entries]) => [list, entries.map((one) => one.value)])) };
}
