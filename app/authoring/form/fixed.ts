import { isWithin, type Path, pointerTo } from "../document/pointers.ts";

/** A place that stays as it is, why, and the way out. */
export interface FixedPlace {
  pointer: string;
  reason: string;
}

/** The shape of a league stays; its tiers can be renamed. */
const NAME_OF_TIER = /^\/league\/tiers\/\d+\/name(\/|$)/;

/** The reason that holds for a place: its own, or that of what it is in. */
export function reasonFor(fixed: readonly FixedPlace[], at: Path): string | null {
  const pointer = pointerTo(at);
  if (NAME_OF_TIER.test(pointer)) return null;
  return fixed.find((place) => isWithin(pointer, place.pointer))?.reason ?? null;
}
