import type { Steps } from "../kernel/steps.ts";
import { type Along, fileWith } from "./along.ts";
import type { Kind } from "./contract.ts";
import { readFile } from "./file.ts";
import { type Plan, planImport } from "./plan.ts";
import type { DefinitionProblem } from "./problems.ts";
import { rollupChanges } from "./rollups.ts";
import { type DefinitionRow, readStored, ROLLUP, type StoredDefinitions } from "./stored.ts";

/** The definitions after saving one of them; `id` is that one's. */
export interface DefinitionsPreview {
  stored: StoredDefinitions;
  id: number;
  /** Whether it already exists, under that id. */
  isStored: boolean;
}

/**
 * The stored rows after saving a definition, with the same checks; nothing is written. A new definition gets an unused id. Pointers of
 * problems lead into the definition.
 */
export function* previewDefinitions(
  rows: readonly DefinitionRow[],
  kind: Kind,
  definition: unknown,
  { now, language, along = [] }: { now: number; language: string; along?: readonly Along[] },
): Steps<{ problems: DefinitionProblem[] } | DefinitionsPreview> {
  const file = yield* readFile(fileWith(kind, definition, along));
  const plan = yield* planImport(file, yield* readStored(rows), { now, language, prune: false, hasMoney: false });
  if ("problems" in plan) {
    const problems = plan.problems.map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/[^/]+\/0(?=\/|$)/, "") }));
    return { problems };
  }
  const stored = yield* readStored(yield* withRollups(withPlan(rows, plan, now), now));
  const key = file.lists[kind]?.[0]?.shaped?.key;
  const one = stored.lists[kind].find(({ shaped }) => shaped.key === key);
  if (one === undefined) throw new Error(`The definition ${kind}/${key} is sound and not among the others.`);
  return { stored, id: one.id, isStored: one.id < FIRST_UNUSED };
}

/** Ids from here on are never assigned to rows: the sequence of definitions does not get this far. */
const FIRST_UNUSED = 2_000_000_000;

function withPlan(rows: readonly DefinitionRow[], { additions, updates }: Plan, now: number): DefinitionRow[] {
  const updated = new Map(updates.map((update) => [update.id, update]));
  return [...rows.map((row) => ({ ...row, ...updated.get(row.id) })), ...added(additions, FIRST_UNUSED, now)];
}

function* withRollups(rows: readonly DefinitionRow[], now: number): Steps<DefinitionRow[]> {
  const { added: keys } = yield* rollupChanges(yield* readStored(rows));
  const rollups = keys.map((key) => ({ kind: ROLLUP, key, active: true, body: {} }));
  return [...rows, ...added(rollups, FIRST_UNUSED + 1_000_000, now)];
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
