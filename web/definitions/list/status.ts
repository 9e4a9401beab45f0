import type { ListedDefinition } from "../kinds/kind-module.ts";

/** The status beside a name: none where the definition is active and its window is open. */
export type Status = "Off" | "Scheduled" | "Ended" | null;

/** `now` is the environment's present, RFC 3339. */
export function statusOf({ active, summary }: Pick<ListedDefinition, "active" | "summary">, now: string): Status {
  if (!active) return "Off";
  const { startsAt, endsAt } = summary;
  if (typeof endsAt === "string" && Date.parse(endsAt) <= Date.parse(now)) return "Ended";
  return typeof startsAt === "string" && Date.parse(startsAt) > Date.parse(now) ? "Scheduled" : null;
}
