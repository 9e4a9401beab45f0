import { startDispatcher } from "./dispatcher.ts";
import { startFacts } from "./facts.ts";
import type { Runner, WorkContext } from "./runner.ts";

/**
 * Everything that runs later. Each kind is a table of rows that are due, claimed by any number of workers:
 *
 * | work       | rows                                   | attempts                                    | schedule                          |
 * |------------|----------------------------------------|---------------------------------------------|-----------------------------------|
 * | facts      | queued_facts, by lane and environment  | halved on failure, then quarantined         | at once, polled every 100 ms      |
 * | deliveries | webhook_deliveries, by endpoint        | eight (webhooks/schedule.ts), then given up | `due_at`, with a lease while sent |
 */
export const CATALOGUE: Record<"facts" | "deliveries", (context: WorkContext) => Runner> = {
  facts: startFacts,
  deliveries: startDispatcher,
};
