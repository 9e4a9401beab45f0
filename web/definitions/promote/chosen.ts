import type { Answers } from "../../client/service.tsx";

export type Comparison = Answers["definitions"]["difference"];
/** A definition that differs between the environments. */
export type Divergence = Comparison["divergences"][number];
export type Subject = Pick<Divergence, "kind" | "key">;
export type Same = Comparison["same"][number];

export const choiceKey = ({ kind, key }: Subject): string => `${kind}/${key}`;

/** Dependencies of the selection, by name, with the definitions that require them. */
export function dependenciesOf(divergences: readonly Divergence[], chosen: ReadonlySet<string>): Map<string, Divergence[]> {
  const dependencies = new Map<string, Divergence[]>();
  for (const one of divergences) {
    if (!chosen.has(choiceKey(one))) continue;
    for (const need of one.needs) dependencies.set(choiceKey(need), [...(dependencies.get(choiceKey(need)) ?? []), one]);
  }
  return dependencies;
}

/** The selection and its dependencies, with the definitions that require them. */
export interface Included {
  divergence: Divergence;
  isChosen: boolean;
  neededBy: Divergence[];
}

export function includedOf(divergences: readonly Divergence[], chosen: ReadonlySet<string>): Included[] {
  const dependencies = dependenciesOf(divergences, chosen);
  return divergences.flatMap((divergence) => {
    const name = choiceKey(divergence);
    const neededBy = dependencies.get(name) ?? [];
    return chosen.has(name) || neededBy.length > 0 ? [{ divergence, isChosen: chosen.has(name), neededBy }] : [];
  });
}

export const subjectsOf = (divergences: readonly Divergence[], chosen: ReadonlySet<string>): Subject[] =>
  divergences.filter((one) => chosen.has(choiceKey(one))).map(({ kind, key }) => ({ kind, key }));

/** Selects or deselects these. */
export function withChoice(chosen: ReadonlySet<string>, these: readonly Subject[], isChosen: boolean): Set<string> {
  const names = new Set(these.map(choiceKey));
  return isChosen ? chosen.union(names) : chosen.difference(names);
}

/** Grouped by kind, in order of appearance. */
export const byKind = <Item extends Subject>(all: readonly Item[]): [Item["kind"], Item[]][] => [...Map.groupBy(all, ({ kind }) => kind)];
