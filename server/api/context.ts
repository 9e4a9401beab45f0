import type { Database } from "../../db/client.ts";
import type { Environment, RememberedKey } from "../model/kernel/environment.ts";
import type { ServedItems } from "../model/request-log/entry.ts";

/** What public API procedures get besides the request's input. */
export interface ApiContext {
  database: Database;
  /** The API key's environment, as of the start of the request. */
  environment: Environment;
  /** The time of the request on the environment's clock, epoch milliseconds. */
  now: number;
  /** Set where the environment and the time are what this process remembers: the procedure has to confirm them, or throw Unconfirmed. */
  remembered: RememberedKey | null;
  traceId: string;
  /** The body's text as received; empty if none. */
  rawBody: string;
  /** The public address, without a trailing slash. */
  baseUrl: string;
  /** How many of these accepted items the request log keeps: the first ones. Asked once, before they are written. */
  admitToTail(accepted: number): number;
  /** Notes the items of a batch with their outcomes, for the log of requests. */
  noteItems(items: ServedItems): void;
  /** Tells this process's worker that there is work; other processes poll. */
  wake(): void;
}
