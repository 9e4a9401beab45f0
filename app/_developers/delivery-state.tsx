import type { DashboardClient } from "../../server/api/dashboard.ts";
import { Badge } from "../_components/surface.tsx";

export type Delivery = Awaited<ReturnType<DashboardClient["webhooks"]["deliveries"]>>["deliveries"][number];

/** How a delivery fares, in a word. */
export const DeliveryState = ({ delivery: { status, attempts } }: { delivery: Pick<Delivery, "status" | "attempts"> }) => (
  <Badge tone={status === "Pending" && attempts > 0 ? "warn" : TONES[status]}>
    {status === "Pending" ? (attempts > 0 ? "Retrying" : "Waiting") : status}
  </Badge>
);

const TONES = { Pending: "info", Delivered: "good", Failed: "bad" } as const;
