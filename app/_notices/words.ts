import type { DashboardClient } from "../../server/api/dashboard.ts";
import { formatted } from "../../server/kernel/thousands.ts";

export type Notice = Awaited<ReturnType<DashboardClient["notices"]["list"]>>["notices"][number];

/** The kinds in their order, as the account page lists them. */
export const KINDS: { kind: Notice["kind"]; label: string }[] = [
  { kind: "EndpointFailingHour", label: "A webhook endpoint has failed for an hour" },
  { kind: "EndpointFailingDay", label: "A webhook endpoint has failed for a day" },
  { kind: "EndpointSwitchedOff", label: "A webhook endpoint was switched off after failing for five days" },
  { kind: "Quarantined", label: "Events are in quarantine" },
];

/** A notice in a line. */
export function noticeInWords({ kind, url, count }: Pick<Notice, "kind" | "url" | "count">): string {
  switch (kind) {
    case "EndpointFailingHour":
    case "EndpointFailingDay":
      return `Every delivery to ${url ?? "an endpoint"} fails`;
    case "EndpointSwitchedOff":
      return `${url ?? "An endpoint"} was switched off after failing for five days`;
    case "Quarantined":
      return count === 1 ? "1 event came into quarantine" : `${formatted(count ?? 0)} events came into quarantine`;
  }
}

/** Where somebody mends it, in the environment. */
export const placeOf = ({ kind, endpointId }: Pick<Notice, "kind" | "endpointId">): string =>
  kind === "Quarantined" ? "/developers/quarantine" : `/developers/webhooks/${endpointId}`;
