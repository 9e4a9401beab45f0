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

/** How much there is of a tree: all of its parts (every `all`, `any`, `not` and leaf), and how many of them stand inside each other at most. */
export interface Extent {
  parts: number;
  depth: number;
}

/** The extent of a tree, of whose leaves some may stand for more. */
export function extentOf<Tree>(tree: Readable<Tree>, extentOfLeaf: (leaf: Leaf<Tree>["leaf"]) => Extent): Extent {
  const one = given(tree) as object | undefined;
  if (one === undefined) return { parts: 0, depth: 0 };
  const inner = "all" in one ? one.all : "any" in one ? one.any : "not" in one ? [one.not] : null;
  if (inner === null) return extentOfLeaf(one as Leaf<Tree>["leaf"]);
  const extents = ((given(inner) ?? []) as readonly Readable<Tree>[]).map((part) => extentOf(part, extentOfLeaf));
  return extents.reduce((all, { parts, depth }) => ({ parts: all.parts + parts, depth: Math.max(all.depth, depth + 1) }), {
    parts: 1,
    depth: 1,
  });
}
