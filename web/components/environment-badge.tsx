import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";
import { Badge } from "./surface.tsx";

export const ENVIRONMENT_NAMES: Record<EnvironmentKind, string> = { sandbox: "Sandbox", live: "Live" };

export const otherOf = (environment: EnvironmentKind): EnvironmentKind => (environment === "sandbox" ? "live" : "sandbox");

/** The environment's name in its colour. */
export const EnvironmentBadge = ({ environment }: { environment: EnvironmentKind }) => (
  <Badge tone={environment}>{ENVIRONMENT_NAMES[environment]}</Badge>
);
