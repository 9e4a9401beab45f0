/** The fulfilment of a purchase: the customer's system gets a webhook for each entry of its contents. */
export const HANDING_OVER = ["Failed", "Waiting", "NotSent", "Delivered"] as const;

export type HandingOver = (typeof HANDING_OVER)[number];

type Notification = { status: "Pending" | "Held" | "Delivered" | "Failed" } | null;

/** The worst state of a purchase's entries; `notification` is null if no existing endpoint was notified. */
export function handingOverOf(entries: readonly { notification: Notification }[]): HandingOver {
  if (entries.some(({ notification }) => notification?.status === "Failed")) return "Failed";
  if (entries.some(({ notification }) => notification?.status === "Pending" || notification?.status === "Held")) return "Waiting";
  return entries.every(({ notification }) => notification?.status === "Delivered") ? "Delivered" : "NotSent";
}
