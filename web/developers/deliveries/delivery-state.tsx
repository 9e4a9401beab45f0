import type { DashboardClient } from "#server/api/dashboard.ts";
import { Badge } from "../../components/surface.tsx";

export type Delivery = Awaited<ReturnType<DashboardClient["webhooks"]["deliveries"]>>["deliveries"][number];

type Shown = Pick<Delivery, "status" | "attempts"> & Partial<Pick<Delivery, "givenUp">>;

/** A delivery's status badge. */
export const DeliveryState = ({ delivery }: { delivery: Shown }) => (
  <Badge tone={delivery.status === "Pending" && delivery.attempts > 0 ? "warn" : TONES[delivery.status]}>{wordOf(delivery)}</Badge>
);

function wordOf({ status, givenUp = null }: Shown): string {
  return givenUp === null ? status : { Discarded: "Discarded", HeldTooLong: "Given up" }[givenUp];
}

const TONES = { Pending: "info", Held: "warn", Delivered: "good", Failed: "bad" } as const;

/** The explanation for a held or formerly held delivery; null for others. */
export function heldInWords({ status, givenUp }: Pick<Delivery, "status" | "givenUp">): string | null {
  if (status === "Held")
    return "Held because the endpoint is off. It is sent when the endpoint is switched on again; after 30 days it is given up.";
  if (givenUp === "Discarded") return "Discarded while the endpoint was off.";
  return givenUp === "HeldTooLong" ? "Given up after 30 days with the endpoint off." : null;
}
