import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import { ENVIRONMENT_NAMES, otherOf } from "../../components/environment-badge.tsx";

/** The direction and its verb: to Live is promoting, the other way is copying. */
export interface Direction {
  from: string;
  to: string;
  verb: string;
  done: string;
}

export const directionFrom = (environment: EnvironmentKind): Direction => ({
  from: ENVIRONMENT_NAMES[environment],
  to: ENVIRONMENT_NAMES[otherOf(environment)],
  ...(environment === "sandbox" ? { verb: "Promote", done: "promoted" } : { verb: "Copy", done: "copied" }),
});
