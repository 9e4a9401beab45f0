import type { Scope } from "../client/scope.ts";

const SHOWN = 6;

/** The input of the call that reads the last changes; the server asks with the same, so that they are there at first sight. */
export const recentInput = (scope: Scope) => ({ ...scope, take: SHOWN });
