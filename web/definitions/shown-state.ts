/** The state beside a definition's name; `Active`: on, and between its dates. */
export type ShownState = "Active" | "Off" | "Scheduled" | "Ended";

/** The state of a definition that has a switch. `now` is the environment's present, RFC 3339, as are the dates of a summary. */
export function stateOf(active: boolean, { startsAt, endsAt }: { startsAt?: unknown; endsAt?: unknown }, now: string): ShownState {
  if (!active) return "Off";
  if (typeof endsAt === "string" && Date.parse(endsAt) <= Date.parse(now)) return "Ended";
  return typeof startsAt === "string" && Date.parse(startsAt) > Date.parse(now) ? "Scheduled" : "Active";
}
