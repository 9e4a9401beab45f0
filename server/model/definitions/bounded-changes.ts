import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { Difference } from "./difference.ts";

/** A changed field in an answer: values are JSON text, so that their numbers stay exact; null if absent. */
interface BoundedDifference {
  path: string[];
  before: string | null;
  after: string | null;
}

interface Differing<Field extends Difference> {
  differences?: readonly Field[];
  parts?: readonly Difference[];
}

type Bounded<One, Field extends Difference> = Omit<One, "differences" | "parts"> & {
  differences: (BoundedDifference & Omit<Field, keyof Difference>)[];
  parts: BoundedDifference[];
  /** The number of differences, listed or not. */
  fields: number;
  /** They are too long for this answer, and left out. */
  isLong: boolean;
};

/** Limits in characters of values: of one change in a list, of all changes of a list together, and of a single change. */
const MAX_IN_LIST = 20_000;
const MAX_OF_LIST = 2_000_000;
const MAX_ALONE = 2_500_000;

/** The changes of a list in the form of an answer, as many with their values as fit. */
export function boundedChanges<Field extends Difference, One extends Differing<Field>>(
  changes: readonly (One & Differing<Field>)[],
  { one: mostOfOne, all } = { one: MAX_IN_LIST, all: MAX_OF_LIST },
): Steps<Bounded<One, Field>[]> {
  let left = all;
  return mapInSteps(changes, (change) => {
    const told = tell<Field, One>(change, Math.min(mostOfOne, left));
    for (const { before, after } of [...told.differences, ...told.parts]) left -= (before?.length ?? 0) + (after?.length ?? 0);
    return told;
  });
}

/** One change in the form of an answer of its own. */
export const boundedChange = <Field extends Difference, One extends Differing<Field>>(
  change: One & Differing<Field>,
  most = MAX_ALONE,
): Bounded<One, Field> => tell<Field, One>(change, most);

function tell<Field extends Difference, One extends Differing<Field>>(change: One & Differing<Field>, most: number): Bounded<One, Field> {
  const { differences = [], parts = [], ...rest } = change;
  const budget = { left: most };
  const fields = within(differences, budget);
  const sentences = fields && within(parts, budget);
  const told =
    fields === null || sentences === null
      ? { differences: [], parts: [], isLong: true }
      : { differences: fields, parts: sentences, isLong: false };
  return { ...(rest as Omit<One, "differences" | "parts">), ...told, fields: differences.length };
}

/** Null if they exceed the remaining characters. */
function within<Field extends Difference>(differences: readonly Field[], budget: { left: number }) {
  const told: (BoundedDifference & Omit<Field, keyof Difference>)[] = [];
  for (const { path, before, after, ...more } of differences) {
    const one = { ...more, path: path.map(String), before: textOf(before), after: textOf(after) };
    budget.left -= (one.before?.length ?? 0) + (one.after?.length ?? 0) + one.path.join().length;
    if (budget.left < 0) return null;
    told.push(one);
  }
  return told;
}

const textOf = (value: unknown): string | null => (value === undefined ? null : writeJson(value));
