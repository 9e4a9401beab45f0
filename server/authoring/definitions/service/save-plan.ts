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

/** What is wrong with a definition, and in which environment it would be. The pointer leads into the definition. */
export interface SaveProblem extends DefinitionProblem {
  environment: EnvironmentKind;
}

export const otherEnvironment = (database: Database, { projectSlug, kind }: Environment): Promise<Environment> =>
  findEnvironment(database, projectSlug, kind === "sandbox" ? "live" : "sandbox");

/** In the order of their ids, so that two who want both do not wait for each other; answered in the order asked. */
export async function openEach(tx: Transaction, environments: readonly Environment[], isDryRun: boolean): Promise<Opened[]> {
  const opened = new Map<number, Opened>();
  for (const { id } of environments.toSorted((a, b) => a.id - b.id)) opened.set(id, await (isDryRun ? open : openExclusive)(tx, id));
  return environments.map(({ id }) => opened.get(id)!);
}

export function knownIn({ stored }: Pick<Opened, "stored">, entry: Entry): Stored | null {
  const key = keyOf(entry);
  return (stored.lists[entry.kind] as readonly Stored[]).find(({ shaped }) => shaped.key === key) ?? null;
}

/** What the entry would do in one environment. There must be none of its key where it is new, and one where it is not. */
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
    // Everything else is told all the same, of what the definition would be under another key.
    against = { ...opened, stored: without(opened.stored, known) };
  }
  own.push(...takenAlong(opened, file, entry));
  if (!isNew && isFirst && known === null) own.push(...missingKey(entry));
  const plan = await planChange(tx, against, file);
  const found = "problems" in plan ? plan.problems.map((problem) => ({ ...problem, pointer: inside(problem.pointer, entry.kind) })) : [];
  const problems = [...own, ...found].map((problem) => ({ ...problem, environment: opened.environment.kind }));
  return problems.length > 0 ? { problems } : { opened, plan: plan as Plan };
}

/** What comes along is new: a definition that is there is not changed by the way. */
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

/** A pointer into the file as one into its only definition; what is about the list, or about others, is about the whole. */
function inside(pointer: string, kind: Kind): string {
  const start = pointerTo([kind, 0]);
  return pointer.startsWith(`${start}/`) ? pointer.slice(start.length) : "";
}
