export { definitionsOf, editInstants, freshDefinitions } from "./service/compiled.ts";
export { discoverDefinitions } from "./service/discovery.ts";
export { exportDefinitions, importDefinitions, type ImportResult, promoteDefinitions } from "./service/import.ts";
export { failedSchedules } from "./service/scheduled.ts";
export { readTextsAttention } from "./service/translations.ts";
export type { Change } from "./plan.ts";
export type { DefinitionProblem } from "./problems.ts";
export type { Definitions, Leaderboard, Segment } from "./compiled.ts";
