import { type Sent, wordsOf } from "../document/form-words.ts";
import { isWithin, type Path, pointerTo } from "../document/pointers.ts";

/** A place that stays as it is, why, and the way out. */
export interface FixedPlace {
  pointer: string;
  reason: string;
}

/** What the service says of fixed members, in the words of a form. */
export const fixedInWords = (fixed: readonly (Sent & { pointer: string })[]): FixedPlace[] =>
  fixed.map(({ pointer, ...why }) => ({ pointer, reason: wordsOf(why) }));

/** The shape of a league stays; its tiers can be renamed. */
const NAME_OF_TIER = /^\/league\/tiers\/\d+\/name(\/|$)/;

/** The reason that holds for a place: its own, or that of what it is in. */
export function reasonFor(fixed: readonly FixedPlace[], at: Path): string | null {
  const pointer = pointerTo(at);
  if (NAME_OF_TIER.test(pointer)) return null;
  return fixed.find((place) => isWithin(pointer, place.pointer))?.reason ?? null;
}
