import type { Database } from "../../db/client.ts";
import type { Environment } from "../model/kernel/environment.ts";
import type { ServedItems } from "../model/request-log/entry.ts";

/** The input of a procedure of the public API besides the request's own. */
export interface ApiContext {
  database: Database;
  /** The environment of the API key, as it was when the request began. */
  environment: Environment;
  /** The instant of the request on the environment's clock, epoch milliseconds. */
  now: number;
  traceId: string;
  /** The body's text as it was sent; empty without one. */
  rawBody: string;
  /** The public address, without a slash at its end. */
  baseUrl: string;
  /** How many of so many accepted items the log of requests keeps: the first ones. Asked once, before they are written. */
  admitToTail(accepted: number): number;
  /** Notes the items of a batch with their outcomes, for the log of requests. */
  noteItems(items: ServedItems): void;
  /** Tells the worker of this process that there is something to do; others find out by themselves. */
  wake(): void;
}
