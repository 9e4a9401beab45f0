import type { DashboardClient } from "../../server/api/dashboard.ts";
import { Badge } from "../_components/surface.tsx";

export type ShownEndpoint = Awaited<ReturnType<DashboardClient["webhooks"]["list"]>>["endpoints"][number];

/** How an endpoint fares, in a word. */
export function EndpointState({ endpoint: { isOn, failingSince } }: { endpoint: ShownEndpoint }) {
  if (!isOn) return <Badge>Off</Badge>;
  return failingSince === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Failing</Badge>;
}

export const Events = ({ events }: { events: string[] }) => (
  <span className="flex flex-wrap gap-1">
    {events.map((event) => (
      <code key={event} className="rounded bg-sunken px-1.5 py-0.5 font-mono text-xs">
        {event}
      </code>
    ))}
  </span>
);
