import type { Answers } from "../../client/service.tsx";
import { Badge } from "../../components/surface.tsx";

export type Delivery = Answers["webhooks"]["deliveries"]["deliveries"][number];

type Shown = Pick<Delivery, "status" | "attempts"> & Partial<Pick<Delivery, "givenUp">>;

export const DeliveryState = ({ delivery }: { delivery: Shown }) => (
  <Badge tone={delivery.status === "Pending" && delivery.attempts > 0 ? "warn" : TONES[delivery.status]}>{wordOf(delivery)}</Badge>
);

const wordOf = ({ status, givenUp = null }: Shown): string =>
  givenUp === null ? status : { Discarded: "Discarded", HeldTooLong: "Expired" }[givenUp];

const TONES = { Pending: "info", Held: "warn", Delivered: "good", Failed: "bad" } as const;

/** The explanation for a held or formerly held delivery; null for others. */
export function heldInWords({ status, givenUp }: Pick<Delivery, "status" | "givenUp">): string | null {
  if (status === "Held")
    return "Held because the endpoint is off. It is sent when the endpoint is switched on again, and expires after 30 days.";
  if (givenUp === "Discarded") return "Discarded while the endpoint was off.";
  return givenUp === "HeldTooLong" ? "Expired after 30 days with the endpoint off." : null;
}

/** The webhooks of a purchase that a reversal does not stop, by their statuses; null if there are none. */
export function sentAfterReversal(statuses: readonly (Delivery["status"] | undefined)[]): string | null {
  if (statuses.includes("Held"))
    return " The held webhook that asks for them is sent once its endpoint is on: to hand nothing over, discard the delivery.";
  return statuses.includes("Pending") ? " The pending webhook that asks for them is still sent." : null;
}
