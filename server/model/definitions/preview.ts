import type { Steps } from "../kernel/steps.ts";
import { type Along, type File, fileWith, readFile } from "./file.ts";
import { type Kind, KINDS } from "./contract.ts";
import { type Plan, planImport } from "./plan.ts";
import { type DefinitionProblem, inside } from "./problems.ts";
import { rollupChanges } from "./rollups.ts";
import { afterWrite, type DefinitionRow, ROLLUP, type Stored, type StoredDefinitions } from "./stored.ts";

/** The definitions after saving one of them; `id` is the id of the saved one. */
export interface DefinitionsPreview {
  stored: StoredDefinitions;
  id: number;
  /** Whether the saved definition already existed, under that id. */
  isStored: boolean;
}

/**
 * The definitions after saving one of them, with the same checks; nothing is written. A new definition gets an unused id. Pointers of
 * problems lead into the definition.
 */
export function* previewDefinitions(
  before: StoredDefinitions,
  kind: Kind,
  definition: unknown,
  { along = [], ...context }: PreviewContext & { along?: readonly Along[] },
): Steps<{ problems: DefinitionProblem[] } | DefinitionsPreview> {
  const file = yield* readFile(fileWith(kind, definition, along));
  const imported = yield* previewImport(file, before, context);
  if ("problems" in imported) {
    return { problems: imported.problems.map((problem) => ({ ...problem, pointer: inside(problem.pointer, kind) })) };
  }
  const { stored } = imported;
  const key = file.lists[kind]?.[0]?.shaped?.key;
  const one = stored.lists[kind].find(({ shaped }) => shaped.key === key);
  if (one === undefined) throw new Error(`The definition ${kind}/${key} is sound and not among the others.`);
  return { stored, id: one.id, isStored: one.id < FIRST_UNUSED };
}

/** `now` is on the environment's clock: new definitions are created then. */
interface PreviewContext {
  now: number;
  language: string;
}

/** The definitions after importing a file, with the same checks and without a prune; nothing is written. New ones get unused ids. */
export function* previewImport(
  file: File,
  before: StoredDefinitions,
  { now, language }: PreviewContext,
): Steps<{ problems: DefinitionProblem[] } | { stored: StoredDefinitions }> {
  const plan = yield* planImport(file, before, { now, language, prune: false, hasMoney: false });
  if ("problems" in plan) return plan;
  const first = firstUnused(before);
  const planned = yield* afterWrite(before, rowsOf(plan, before, first, now), []);
  const { added: keys } = yield* rollupChanges(planned);
  const rollups = keys.map((rollup) => ({ kind: ROLLUP, key: rollup, active: true, body: {} }));
  return { stored: yield* afterWrite(planned, added(rollups, first + 1_000_000, now), []) };
}

/** Ids from here on are never assigned to rows: the sequence of definitions does not get this far. */
const FIRST_UNUSED = 2_000_000_000;

/** Follows the ids of earlier previews, since a preview may start from the result of another. */
const firstUnused = ({ lists, rollups }: StoredDefinitions): number =>
  [...KINDS.flatMap((kind): readonly { id: number }[] => lists[kind]), ...rollups].reduce(
    (first, { id }) => Math.max(first, id + 1),
    FIRST_UNUSED,
  );

function rowsOf({ additions, updates }: Plan, { lists }: StoredDefinitions, first: number, now: number): DefinitionRow[] {
  const stored = new Map(KINDS.flatMap((kind): readonly Stored[] => lists[kind]).map((one) => [one.id, one]));
  const updated = updates.map((update): DefinitionRow => {
    const known = stored.get(update.id)!;
    return { ...known, key: known.shaped.key, ...update };
  });
  return [...updated, ...added(additions, first, now)];
}

const added = (rows: readonly Pick<DefinitionRow, "kind" | "key" | "active" | "body">[], first: number, createdAt: number) =>
  rows.map((row, index): DefinitionRow => ({
    ...row,
    id: first + index,
    createdAt,
    updatedAt: createdAt,
    changedAt: createdAt,
    discovered: false,
    discoveredProperties: [],
  }));
