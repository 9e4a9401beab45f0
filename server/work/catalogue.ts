import type { Database } from "../../db/client.ts";
import { startDispatcher } from "./dispatcher.ts";
import { startFacts } from "./facts.ts";

/** What background work is given. */
export interface WorkContext {
  database: Database;
  logger: { error: LogLine; warn: LogLine };
  /** Whether webhooks may go to private addresses (WEBHOOK_ALLOW_PRIVATE_ADDRESSES). */
  allowPrivateAddresses: boolean;
  /** Called when facts have been folded: there may be deliveries to send. */
  onEffects: () => void;
}

type LogLine = (fields: object, message: string) => void;

/** A kind of work under way in this process. */
export interface Runner {
  /** There may be something to do. */
  wake(): void;
  /** Takes nothing new, finishes what it has in hand. */
  stop(): Promise<void>;
}

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
