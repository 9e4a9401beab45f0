import type { WebhookEvent } from "./subscriptions.ts";

/** After so long a held delivery is given up. */
export const HELD_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** How a delivery's row says that it fares. */
type Kept = "Pending" | "Delivered" | "Failed";

/** How a delivery fares, as people see it. */
export type ShownStatus = Kept | "Held";

/** What is pending for an endpoint that is switched off is held. */
export const shownStatus = (kept: Kept, isOn: boolean): ShownStatus => (kept === "Pending" && !isOn ? "Held" : kept);

/** The deliveries of which rows are shown with a status, at an endpoint that is on or off; null: none can be. */
export function keptStatus(shown: ShownStatus, isOn: boolean): Kept | null {
  if (shown === "Held") return isOn ? null : "Pending";
  return shown === "Pending" && !isOn ? null : shown;
}

/** What people may have sent again: what makes a receiver hand something out. The other events only tell. */
const RESENT: readonly WebhookEvent[] = ["mission.completed", "catalog_item.fulfillment_requested"];

/** Why people may not have a delivery of this event sent again; null where they may. */
export const resendProblem = (event: string): string | null =>
  RESENT.some((one) => one === event)
    ? null
    : `Only ${RESENT.join(" and ")} can be sent again; ${event} is told as the schedule says, and not by hand.`;
