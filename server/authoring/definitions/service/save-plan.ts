import { pointerTo } from "#server/model/rules/naming.ts";
import type { Database, Transaction } from "#db/client.ts";
import type { Environment, EnvironmentKind } from "#server/model/kernel/environment.ts";
import { findEnvironment } from "#server/people/projects/find-environment.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { type Entry, type File, keyOf } from "#server/model/definitions/file.ts";
import type { Plan } from "#server/model/definitions/plan.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { missingKey, takenKey } from "#server/model/definitions/saved-key.ts";
import type { Stored } from "#server/model/definitions/stored.ts";
import { planChange } from "./change.ts";
import { open, type Opened, openExclusive } from "#server/engine/open-definitions.ts";

/** A definition's problem, and the environment in which it occurs. The pointer leads into the definition. */
export interface SaveProblem extends DefinitionProblem {
  environment: EnvironmentKind;
}

export const otherEnvironment = (database: Database, { projectSlug, kind }: Environment): Promise<Environment> =>
  findEnvironment(database, projectSlug, kind === "sandbox" ? "live" : "sandbox");

/** Locks in the order of ids, to avoid deadlocks; returned in the order given. */
export async function openEach(tx: Transaction, environments: readonly Environment[], isDryRun: boolean): Promise<Opened[]> {
  const opened = new Map<number, Opened>();
  for (const { id } of environments.toSorted((a, b) => a.id - b.id)) opened.set(id, await (isDryRun ? open : openExclusive)(tx, id));
  return environments.map(({ id }) => opened.get(id)!);
}

export function knownIn({ stored }: Pick<Opened, "stored">, entry: Entry): Stored | null {
  const key = keyOf(entry);
  return (stored.lists[entry.kind] as readonly Stored[]).find(({ shaped }) => shaped.key === key) ?? null;
}

/** The entry's plan in one environment. Its key must be unused if it is new, and exist if it is not. */
export async function planOf(
  tx: Transaction,
  opened: Opened,
  file: File,
  entry: Entry,
  { isNew, isFirst }: { isNew: boolean; isFirst: boolean },
): Promise<{ problems: SaveProblem[] } | { opened: Opened; plan: Plan }> {
  const known = knownIn(opened, entry);
  const own: DefinitionProblem[] = [];
  let against = opened;
  if (isNew && known !== null && takenKey(known)) {
    own.push(takenKey(known)!);
    // Other problems are reported all the same, as if it had another key.
    against = { ...opened, stored: without(opened.stored, known) };
  }
  own.push(...takenAlong(opened, file, entry));
  if (!isNew && isFirst && known === null) own.push(...missingKey(entry));
  const plan = await planChange(tx, against, file);
  const found = "problems" in plan ? plan.problems.map((problem) => ({ ...problem, pointer: inside(problem.pointer, entry.kind) })) : [];
  const problems = [...own, ...found].map((problem) => ({ ...problem, environment: opened.environment.kind }));
  return problems.length > 0 ? { problems } : { opened, plan: plan as Plan };
}

/** Definitions in `along` must be new: existing ones are never changed implicitly. */
const takenAlong = (opened: Opened, file: File, entry: Entry): DefinitionProblem[] =>
  Object.values(file.lists).flatMap((list: readonly Entry[] | null) =>
    (list ?? []).flatMap((other) => {
      const known = other === entry ? null : knownIn(opened, other);
      const taken = known && takenKey(known);
      return taken === null ? [] : [{ ...taken, pointer: "" }];
    }),
  );

export const without = (stored: Opened["stored"], known: Stored): Opened["stored"] => ({
  ...stored,
  lists: { ...stored.lists, [known.kind]: (stored.lists[known.kind] as readonly Stored[]).filter((one) => one !== known) },
});

/** Converts a pointer into the file to one into its only definition; problems of the list, or of others, point to the whole. */
function inside(pointer: string, kind: Kind): string {
  const start = pointerTo([kind, 0]);
  return pointer.startsWith(`${start}/`) ? pointer.slice(start.length) : "";
}
