import type { Scope } from "../client/scope.ts";

const SHOWN = 6;

/** The input of the query for recent changes; the server prefetches with the same. */
export const recentInput = (scope: Scope) => ({ ...scope, take: SHOWN });
