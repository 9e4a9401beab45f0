import { createRequire } from "node:module";
import type { Temporal as Polyfill } from "temporal-polyfill";

/**
 * Temporal of the runtime: Node 26 has it. Node 24 has none and loads the polyfill, 15 to 25 ms and 1.4 MB for each process and thread.
 * Browsers get the polyfill instead of this module (`imports` in package.json).
 */
export const Temporal =
  (globalThis as { Temporal?: typeof Polyfill }).Temporal ??
  (createRequire(import.meta.url)("temporal-polyfill") as { Temporal: typeof Polyfill }).Temporal;
