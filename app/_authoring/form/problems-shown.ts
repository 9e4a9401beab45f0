import { writeJson } from "../../../server/kernel/json.ts";
import type { Draft } from "../document/draft.ts";
import { isWithin, pathOf, type Problem, valueAt } from "../document/pointers.ts";

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

/** Both kinds together, one for each place: what the form itself sees goes first. */
export function allOf(found: readonly Problem[], told: readonly Problem[]): Problem[] {
  const places = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...told.filter(({ pointer }) => !places.has(pointer))];
}
