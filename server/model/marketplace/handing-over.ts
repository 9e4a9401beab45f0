/** How far a purchase has been handed over: the customer's system is told of each entry of its contents by a webhook. */
export const HANDING_OVER = ["Failed", "Waiting", "NotSent", "Delivered"] as const;

export type HandingOver = (typeof HANDING_OVER)[number];

type Told = { status: "Pending" | "Held" | "Delivered" | "Failed" } | null;

/** The worst of what became of its entries; `told` is null where no endpoint that is there now was told. */
export function handingOverOf(entries: readonly { told: Told }[]): HandingOver {
  if (entries.some(({ told }) => told?.status === "Failed")) return "Failed";
  if (entries.some(({ told }) => told?.status === "Pending" || told?.status === "Held")) return "Waiting";
  return entries.every(({ told }) => told?.status === "Delivered") ? "Delivered" : "NotSent";
}
