import type { Path } from "./finding.ts";
import { joined, missing, type Phrase, say } from "./phrase.ts";
import { given, type Readable } from "./readable.ts";

/**
 * What `all`, `any` and `not` combine: filters, conditions, objectives. All recursion over them is in this file, so that none of the three
 * is forgotten.
 */

export type Combination = "all" | "any" | "not";

type Compound = { all: unknown } | { any: unknown } | { not: unknown };

/** The leaves of a tree. */
export type LeafOf<Tree> = Exclude<Tree, Compound>;

/** A combination of parts. */
export type GroupOf<Part> = { all: readonly Part[] } | { any: readonly Part[] } | { not: Part };

export const isGroup = <Tree>(tree: Tree): tree is Extract<Tree, Compound> =>
  typeof tree === "object" && tree !== null && ("all" in tree || "any" in tree || "not" in tree);

export function combined<Part>(group: GroupOf<Part>): { how: Combination; rules: readonly Part[] } {
  if ("all" in group) return { how: "all", rules: group.all };
  if ("any" in group) return { how: "any", rules: group.any };
  return { how: "not", rules: [group.not] };
}

/** A group of parts; of a `not` the first one counts. */
function groupOf<Part>(how: Combination, parts: readonly Part[]): GroupOf<Part> {
  switch (how) {
    case "all":
      return { all: parts };
    case "any":
      return { any: parts };
    case "not":
      return { not: parts[0]! };
  }
}

/**
 * Whether a tree holds. Loops, and a context instead of closures: this runs for every filter of every event, and to a depth
 * of thousands.
 */
export function evaluate<Tree, Context>(tree: Tree, test: (leaf: LeafOf<Tree>, context: Context) => boolean, context: Context): boolean {
  if (typeof tree === "object" && tree !== null) {
    if ("all" in tree) {
      for (const one of tree.all as readonly Tree[]) if (!evaluate(one, test, context)) return false;
      return true;
    }
    if ("any" in tree) {
      for (const one of tree.any as readonly Tree[]) if (evaluate(one, test, context)) return true;
      return false;
    }
    if ("not" in tree) return !evaluate(tree.not as Tree, test, context);
  }
  return test(tree as LeafOf<Tree>, context);
}

/** Folds a tree from its leaves up. `group` gets the results of the parts, in order, and the group itself. */
export function fold<Tree, Made>(
  tree: Tree,
  leaf: (leaf: LeafOf<Tree>) => Made,
  group: (how: Combination, made: Made[], node: Extract<Tree, Compound>) => Made,
): Made {
  if (!isGroup(tree)) return leaf(tree as LeafOf<Tree>);
  const { how, rules } = combined(tree as unknown as GroupOf<Tree>);
  const made: Made[] = [];
  for (const one of rules) made.push(fold(one, leaf, group));
  return group(how, made, tree);
}

/** The same tree with other leaves; what else a group has (an objective's description) stays where it is. */
export const mapped = <Tree, Leaf = LeafOf<Tree>>(tree: Tree, leaf: (leaf: LeafOf<Tree>) => Leaf): Tree =>
  fold<Tree, unknown>(tree, leaf, (how, parts, node) => ({ ...(node as object), ...groupOf(how, parts) })) as Tree;

/** The tree with other leaves, and bare groups around them. */
export const compiledTree = <Tree, Made>(tree: Tree, leaf: (leaf: LeafOf<Tree>) => Made): Made =>
  fold<Tree, Made>(tree, leaf, (how, parts) => groupOf(how, parts) as Made);

/** The leaves of a sound tree, in the order in which they are written. */
export const leaves = <Tree>(tree: Tree): LeafOf<Tree>[] =>
  fold<Tree, LeafOf<Tree>[]>(
    tree,
    (leaf) => [leaf],
    (_, inside) => inside.flat(),
  );

/** One leaf of a tree that may have invalid parts, and its path; the leaf itself is readable. */
export interface Leaf<Tree> {
  leaf: Exclude<Readable<LeafOf<Tree>>, null | undefined | symbol>;
  path: Path;
}

/** As `fold`, for a tree with parts that may be unreadable or not chosen yet: these become `nothing`. */
function foldReadable<Tree, Made>(
  tree: Readable<Tree>,
  path: Path,
  nothing: Made,
  leaf: (leaf: Leaf<Tree>) => Made,
  group: (made: Made[]) => Made,
): Made {
  const one = given(tree) as object | undefined;
  if (one === undefined) return nothing;
  if (!isGroup(one)) return leaf({ leaf: one as Leaf<Tree>["leaf"], path });
  const inside = (part: Readable<Tree>, place: Path) => foldReadable(part, place, nothing, leaf, group);
  const members = one as Partial<Record<Combination, unknown>>;
  // An invalid group may have several: the first in this order counts.
  const how = (["all", "any", "not"] as const).find((name) => name in members);
  if (how === undefined || how === "not") return group([inside(members.not as Readable<Tree>, [...path, "not"])]);
  const parts = (given(members[how]) ?? []) as readonly Readable<Tree>[];
  return group(parts.map((part, at) => inside(part, [...path, how, at])));
}

/** The readable leaves of a tree, at any depth, in the order in which they are written. */
export const leavesIn = <Tree>(tree: Readable<Tree>, path: Path): Leaf<Tree>[] =>
  foldReadable<Tree, Leaf<Tree>[]>(
    tree,
    path,
    [],
    (leaf) => [leaf],
    (inside) => inside.flat(),
  );

/** The readable leaves of a list of trees, likewise. */
export const leavesOf = <Tree>(trees: Readable<Tree[]>, path: Path): Leaf<Tree>[] =>
  ((given(trees) ?? []) as readonly Readable<Tree>[]).flatMap((one, at) => leavesIn(one, [...path, at]));

/** The extent of a tree: the number of its parts (every `all`, `any`, `not` and leaf), and its depth. */
export interface Extent {
  parts: number;
  depth: number;
}

const NO_EXTENT: Extent = { parts: 0, depth: 0 };

/** The extent of a tree whose leaves may have an extent of their own. */
export const extentOf = <Tree>(tree: Readable<Tree>, extentOfLeaf: (leaf: Leaf<Tree>["leaf"]) => Extent): Extent =>
  foldReadable<Tree, Extent>(
    tree,
    [],
    NO_EXTENT,
    ({ leaf }) => extentOfLeaf(leaf),
    (inside) =>
      inside.reduce((all, { parts, depth }) => ({ parts: all.parts + parts, depth: Math.max(all.depth, depth + 1) }), {
        parts: 1,
        depth: 1,
      }),
  );

/** A tree as a sentence. Groups inside a group stand in brackets. */
export const treePhrase = <Tree>(tree: Tree, phraseOf: (leaf: LeafOf<Tree>) => Phrase): Phrase =>
  fold<Tree, Described>(
    tree,
    (leaf) => (leaf === null ? { phrase: missing("…"), isLong: false } : { phrase: phraseOf(leaf), isLong: endsInFilter(leaf) }),
    (how, parts) => ({ phrase: groupPhrase(how, parts), isLong: how !== "not" && parts.length > 1 }),
  ).phrase;

/** `isLong`: it needs brackets beside others: a group of several, or a phrase that ends in a filter, which would run into the next. */
interface Described {
  phrase: Phrase;
  isLong: boolean;
}

const endsInFilter = (leaf: unknown): boolean =>
  typeof leaf === "object" && leaf !== null && "where" in leaf && leaf.where !== null && leaf.where !== undefined;

function groupPhrase(how: Combination, parts: readonly Described[]): Phrase {
  if (parts.length === 0) return missing("no condition yet");
  const inner = parts.map(({ phrase, isLong }) => (parts.length > 1 && isLong ? say`(${phrase})` : phrase));
  switch (how) {
    case "all":
      return joined(inner, "and");
    case "any":
      return joined(inner, "or");
    case "not":
      return say`not (${inner[0]!})`;
  }
}
