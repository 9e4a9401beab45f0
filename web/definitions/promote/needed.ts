import type { Divergence } from "./chosen.ts";

/** "Free coffee and 2 more" */
export const neededWords = ([first, ...others]: readonly Divergence[]): string =>
  first === undefined ? "" : `${first.name}${others.length === 0 ? "" : ` and ${others.length} more`}`;
