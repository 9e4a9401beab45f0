import { writeJson } from "#server/model/kernel/json.ts";
import type { Draft } from "../document/draft.ts";
import { around, isWithin, pathOf, type Problem, valueAt } from "../document/pointers.ts";

/** What the service found, and in which draft. */
export interface Told {
  problems: readonly Problem[];
  draft: Draft;
}

/** A problem that the service told is one until what stands in its place is changed. */
export const stillTold = ({ problems, draft }: Told, now: Draft): Problem[] =>
  problems.filter(({ pointer }) => {
    const path = pathOf(pointer);
    return writeJson(valueAt(now, path)) === writeJson(valueAt(draft, path));
  });

/** Of the problems that the shapes find, those to show before anything was sent: those where somebody has been. */
export const whereLeft = (problems: readonly Problem[], left: ReadonlySet<string>): Problem[] =>
  problems.filter(({ pointer }) => [...left].some((place) => isWithin(pointer, place)));

/**
 * Once somebody has tried to save, what was wrong then is shown too, and no more: a field that is added afterwards is not wrong before
 * anybody has been there.
 */
export const toShow = (problems: readonly Problem[], tried: ReadonlySet<string>, left: ReadonlySet<string>): Problem[] => {
  const been = new Set(whereLeft(problems, left));
  return problems.filter((problem) => tried.has(problem.pointer) || been.has(problem));
};

/** Both kinds together, one for each place: what the form itself sees goes first. */
export function allOf(found: readonly Problem[], told: readonly Problem[]): Problem[] {
  const places = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...told.filter(({ pointer }) => !places.has(pointer))];
}

/** Problems in the order of the places that the form shows, each by its own or the nearest around it; those of no place go first. */
export function inOrderOf(places: readonly string[], problems: readonly Problem[]): Problem[] {
  const order = new Map(places.map((place, at) => [place, at]));
  const rank = (pointer: string | null): number => (pointer === null ? -1 : (order.get(pointer) ?? rank(around(pointer))));
  return problems.toSorted((one, other) => rank(one.pointer) - rank(other.pointer));
}
