import type { EnvironmentKind } from "../../server/kernel/environment.ts";

const SHOWN = 6;

/** The input of the call that reads the last changes; the server asks with the same, so that they are there at first sight. */
export const recentInput = (scope: { project: string; environment: EnvironmentKind }) => ({ ...scope, take: SHOWN });
