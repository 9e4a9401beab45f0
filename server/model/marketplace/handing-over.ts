/** The fulfilment of a purchase: the customer's system gets a webhook for each entry of its contents. */
export const HANDING_OVER = ["Failed", "Waiting", "NotSent", "Delivered"] as const;

export type HandingOver = (typeof HANDING_OVER)[number];

type Notification = { status: "Pending" | "Held" | "Delivered" | "Failed" } | null;

/** The worst state among its entries; `told` is null if no existing endpoint was notified. */
export function handingOverOf(entries: readonly { told: Notification }[]): HandingOver {
  if (entries.some(({ told }) => told?.status === "Failed")) return "Failed";
  if (entries.some(({ told }) => told?.status === "Pending" || told?.status === "Held")) return "Waiting";
  return entries.every(({ told }) => told?.status === "Delivered") ? "Delivered" : "NotSent";
}
