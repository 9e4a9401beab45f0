import type { Database } from "../../db/client.ts";

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
