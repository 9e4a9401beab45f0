import type { Path } from "./problems.ts";
import { given, type Readable } from "./readable.ts";

type Compound = { all: unknown } | { any: unknown } | { not: unknown };
type LeafOf<Tree> = Tree extends Compound ? never : Tree;

/** One leaf of a filter, a condition or an objective, and its place; whatever else is wrong with it, it can be read. */
export interface Leaf<Tree> {
  leaf: Exclude<Readable<LeafOf<Tree>>, null | undefined | symbol>;
  path: Path;
}

/** The leaves of what `all`, `any` and `not` combine, as deep as they stand, in the order in which they are written. */
export function leavesIn<Tree>(tree: Readable<Tree>, path: Path): Leaf<Tree>[] {
  const one = given(tree) as object | undefined;
  if (one === undefined) return [];
  if ("all" in one) return leavesOf(one.all as Readable<Tree[]>, [...path, "all"]);
  if ("any" in one) return leavesOf(one.any as Readable<Tree[]>, [...path, "any"]);
  if ("not" in one) return leavesIn(one.not as Readable<Tree>, [...path, "not"]);
  return [{ leaf: one as Leaf<Tree>["leaf"], path }];
}

/** The same of a list of them. */
export const leavesOf = <Tree>(trees: Readable<Tree[]>, path: Path): Leaf<Tree>[] =>
  ((given(trees) ?? []) as readonly Readable<Tree>[]).flatMap((one, at) => leavesIn(one, [...path, at]));

/** How many parts a tree has: every `all`, `any` and `not`, and the leaves. */
export function partsIn<Tree>(tree: Readable<Tree>): number {
  const one = given(tree) as object | undefined;
  if (one === undefined) return 0;
  const inner = "all" in one ? one.all : "any" in one ? one.any : "not" in one ? [one.not] : [];
  return ((given(inner) ?? []) as readonly Readable<Tree>[]).reduce<number>((sum, part) => sum + partsIn(part), 1);
}
