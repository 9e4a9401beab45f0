import { writeJson } from "../kernel/json.ts";
import { mapInSteps, type Steps } from "../kernel/steps.ts";
import type { Difference } from "./difference.ts";

/** A changed field in an answer: values are JSON text, so that their numbers stay exact; null if absent. */
export interface BoundedDifference {
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
  /** Whether the differences are left out because they are too long for this answer. */
  isLong: boolean;
};

/** Limits in characters of values: of one change in a list, of all changes of a list together, and of a single change. */
const MAX_IN_LIST = 20_000;
const MAX_OF_LIST = 2_000_000;
const MAX_ALONE = 2_500_000;

/** The changes of a list in the form of an answer, with their values as far as these fit. */
export function boundedChanges<Field extends Difference, One extends Differing<Field>>(
  changes: readonly (One & Differing<Field>)[],
  { one: maxOfOne, all } = { one: MAX_IN_LIST, all: MAX_OF_LIST },
): Steps<Bounded<One, Field>[]> {
  let left = all;
  return mapInSteps(changes, (change) => {
    const answer = bounded<Field, One>(change, Math.min(maxOfOne, left));
    for (const { before, after } of [...answer.differences, ...answer.parts]) left -= (before?.length ?? 0) + (after?.length ?? 0);
    return answer;
  });
}

/** A single change in the form of an answer. */
export const boundedChange = <Field extends Difference, One extends Differing<Field>>(
  change: One & Differing<Field>,
): Bounded<One, Field> => bounded<Field, One>(change, MAX_ALONE);

function bounded<Field extends Difference, One extends Differing<Field>>(change: One & Differing<Field>, max: number): Bounded<One, Field> {
  const { differences = [], parts = [], ...rest } = change;
  const budget = { left: max };
  const fields = within(differences, budget);
  const sentences = fields && within(parts, budget);
  const listed =
    fields === null || sentences === null
      ? { differences: [], parts: [], isLong: true }
      : { differences: fields, parts: sentences, isLong: false };
  return { ...(rest as Omit<One, "differences" | "parts">), ...listed, fields: differences.length };
}

/** Differences in the form of an answer; null if they exceed the remaining characters. */
function within<Field extends Difference>(differences: readonly Field[], budget: { left: number }) {
  const listed: (BoundedDifference & Omit<Field, keyof Difference>)[] = [];
  for (const { path, before, after, ...more } of differences) {
    const one = { ...more, path: path.map(String), before: textOf(before), after: textOf(after) };
    budget.left -= (one.before?.length ?? 0) + (one.after?.length ?? 0) + one.path.join().length;
    if (budget.left < 0) return null;
    listed.push(one);
  }
  return listed;
}

const textOf = (value: unknown): string | null => (value === undefined ? null : writeJson(value));
