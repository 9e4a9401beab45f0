import type { WebhookEvent } from "./contract.ts";

/** Held deliveries are given up after this time. */
export const HELD_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** The status in a delivery's row. */
type Kept = "Pending" | "Delivered" | "Failed";

/** The status shown to users. */
export type ShownStatus = Kept | "Held";

/** A pending delivery of an endpoint that is off is held. */
export const shownStatus = (kept: Kept, isOn: boolean): ShownStatus => (kept === "Pending" && !isOn ? "Held" : kept);

/** The events that people may send again: those that make a receiver hand something out. The others only inform. */
export const RESENT: readonly WebhookEvent[] = ["mission.completed", "catalog_item.fulfillment_requested"];

/** Why a delivery of this event cannot be resent; null if it can. */
export const resendProblem = (event: string): string | null =>
  RESENT.some((one) => one === event) ? null : `Only ${RESENT.join(" and ")} can be resent, not ${event}.`;
