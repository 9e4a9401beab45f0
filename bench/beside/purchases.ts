import type { Side } from "../harness/figure.ts";
import { middleCost } from "../harness/report.ts";
import { purchases as figure } from "../purchases.ts";
import { type BesideContext, type Contest, middle } from "./contest.ts";

/** The two sides of the figure `purchases`, which checks the books of both. */
export async function purchases(context: BesideContext): Promise<Contest> {
  const { reference, ours } = await figure.measure(context);
  const row = (side: Side, name: string) => {
    const cost = middleCost(side);
    return [
      name,
      "PostgreSQL, each purchase is durable before its answer",
      middle(side.values),
      `${cost?.nodeUs ?? "unknown"} + ${cost?.postgresUs ?? "unknown"}`,
      String(cost?.walBytes ?? "unknown"),
    ];
  };
  return {
    title: "Purchases: one listing that all players want",
    columns: ["system", "durability", "purchases/s", "CPU µs a purchase, Node + server", "WAL bytes a purchase"],
    rows: [row(ours, "this service, over HTTP"), row(reference, "transactions with SELECT … FOR UPDATE, straight from the driver")],
    notes: ["Both do the same checks and write the same rows: stock, limit, balance, ledger, purchase, item owed."],
  };
}
