export { definitionsOf, editInstants, freshDefinitions } from "../../engine/definitions.ts";
export { discoverDefinitions } from "../../game/events/discovery.ts";
export { exportDefinitions, importDefinitions, type ImportResult, promoteDefinitions } from "./service/import.ts";
export { failedSchedules } from "./service/scheduled.ts";
export { readTextsAttention } from "./service/translations.ts";
export type { Change } from "../../model/definitions/plan.ts";
export type { DefinitionProblem } from "../../model/definitions/problems.ts";
export type { Definitions, Leaderboard, Segment } from "../../model/definitions/compiled.ts";
