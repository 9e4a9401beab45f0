import { type Sent, wordsOf } from "../document/form-words.ts";
import { isWithin, type Path, pointerTo } from "../document/pointers.ts";

/** An immutable path, the reason, and the workaround. */
export interface FixedPlace {
  pointer: string;
  reason: string;
}

/** The service's message about immutable members, in a form's words. */
export const fixedInWords = (fixed: readonly (Sent & { pointer: string })[]): FixedPlace[] =>
  fixed.map(({ pointer, ...why }) => ({ pointer, reason: wordsOf(why) }));

/** A league's structure is immutable; its tiers can be renamed. */
const NAME_OF_TIER = /^\/league\/tiers\/\d+\/name(\/|$)/;

/** The reason for a path: its own, or its ancestor's. */
export function reasonFor(fixed: readonly FixedPlace[], at: Path): string | null {
  const pointer = pointerTo(at);
  if (NAME_OF_TIER.test(pointer)) return null;
  return fixed.find((place) => isWithin(pointer, place.pointer))?.reason ?? null;
}
