import type { EnvironmentKind } from "#server/model/kernel/environment.ts";
import type { Role } from "#server/model/kernel/roles.ts";

/** A token's scope: one environment or both, or the test projects that it creates. */
export type Bound = EnvironmentKind | "both" | "tests";

export const BOUNDS: { value: Bound; label: string }[] = [
  { value: "sandbox", label: "Sandbox" },
  { value: "live", label: "Live" },
  { value: "both", label: "Both environments" },
  { value: "tests", label: "Test projects only" },
];

/** Lifetime in days. */
export const LASTS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
];

/** The role that most programs need; an Owner's token can do everything that the Owner can. */
const leastNeeded = (roles: readonly Role[]): Role => (roles.includes("Editor") ? "Editor" : (roles.at(0) ?? "Viewer"));

/** The form's state. */
export interface Bounds {
  role: Role;
  environment: Bound;
  /** A number, as text. */
  days: string;
}

export const firstBounds = (roles: readonly Role[]): Bounds => ({ role: leastNeeded(roles), environment: "sandbox", days: "90" });

/** The same as a call's input. */
export const boundsInput = ({ role, environment, days }: Bounds) => ({
  role,
  environment: environment === "both" ? null : environment,
  days: Number(days),
});
