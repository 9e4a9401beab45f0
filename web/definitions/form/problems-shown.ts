import { writeJson } from "#server/model/kernel/json.ts";
import type { Draft } from "../document/draft.ts";
import { around, isWithin, pathOf, type Problem, valueAt } from "../document/pointers.ts";

/** The service's findings, and the draft that they are about. */
export interface Told {
  problems: readonly Problem[];
  draft: Draft;
}

/** A finding of the service remains until the value at its path changes. */
export const stillTold = ({ problems, draft }: Told, now: Draft): Problem[] =>
  problems.filter(({ pointer }) => {
    const path = pathOf(pointer);
    return writeJson(valueAt(now, path)) === writeJson(valueAt(draft, path));
  });

/** Of the client's findings, those to show before the first save: at visited fields. */
export const whereLeft = (problems: readonly Problem[], left: ReadonlySet<string>): Problem[] =>
  problems.filter(({ pointer }) => [...left].some((place) => isWithin(pointer, place)));

/** After a save attempt, its problems are shown as well, and no others: a field added afterwards shows none until it was visited. */
export const toShow = (problems: readonly Problem[], tried: ReadonlySet<string>, left: ReadonlySet<string>): Problem[] => {
  const been = new Set(whereLeft(problems, left));
  return problems.filter((problem) => tried.has(problem.pointer) || been.has(problem));
};

/** Merges both, one for each path: the client's finding wins. */
export function allOf(found: readonly Problem[], told: readonly Problem[]): Problem[] {
  const places = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...told.filter(({ pointer }) => !places.has(pointer))];
}

/** Problems in the order of the form's fields, each by its own or nearest ancestor's field; those without one come first. */
export function inOrderOf(places: readonly string[], problems: readonly Problem[]): Problem[] {
  const order = new Map(places.map((place, at) => [place, at]));
  const rank = (pointer: string | null): number => (pointer === null ? -1 : (order.get(pointer) ?? rank(around(pointer))));
  return problems.toSorted((one, other) => rank(one.pointer) - rank(other.pointer));
}
