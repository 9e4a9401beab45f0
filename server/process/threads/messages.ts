import type { PoolUse } from "#db/gate.ts";
import type { WorkObserver } from "../../model/kernel/monitoring.ts";

/** Calls from the main thread, as bits of one shared number: a message is sent only if none is pending. */
export const CALLS = { wake: 1, effects: 2, stop: 4 } as const;
export type Call = keyof typeof CALLS;

/** What a thread is started with. It reads the process's settings itself. */
export interface ThreadStart {
  /** Thread 0 runs every job; the others only apply facts of their lanes. */
  index: number;
  of: number;
  databaseUrl: string;
  /** Its connections; only the first thread has `deliveries`. */
  sizes: { facts: number; deliveries: number };
  waitMs: number;
  /** An Int32Array with one number: the calls that the thread has not handled yet. */
  calls: SharedArrayBuffer;
}

/** An observer's call, forwarded to the main thread. */
export type Observed = { [Name in keyof WorkObserver]: { name: Name; of: Parameters<WorkObserver[Name]> } }[keyof WorkObserver];

/** Sent periodically: the thread's state, and its work since the last report. */
export interface Report {
  observed: readonly Observed[];
  pools: Readonly<Record<string, PoolUse>>;
  longestStallMs: number;
}

export type FromThread =
  | { kind: "log"; line: string }
  /** Facts were applied: there may be deliveries to send. */
  | { kind: "effects" }
  | ({ kind: "report" } & Report);
