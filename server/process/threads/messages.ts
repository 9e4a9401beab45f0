import type { PoolUse } from "#db/gate.ts";
import type { WorkObserver } from "../../model/kernel/observer.ts";

/** Calls from the main thread. They are bits of one number that both threads see, so that a call costs a message only where none is on its way. */
export const CALLS = { wake: 1, effects: 2, stop: 4 } as const;
export type Call = keyof typeof CALLS;

/** The data that a thread is started with. It reads the process's settings itself. */
export interface ThreadStart {
  /** The first, 0, has every job; the others have their share of the lanes alone. */
  index: number;
  of: number;
  databaseUrl: string;
  /** The connections of its own, `deliveries` of the first thread alone. */
  sizes: { facts: number; deliveries: number };
  waitMs: number;
  /** An Int32Array of one number: the calls that the thread has not seen. */
  calls: SharedArrayBuffer;
}

/** A call of the observer, as it is sent on to the main thread. */
export type Observed = { [Name in keyof WorkObserver]: { name: Name; of: Parameters<WorkObserver[Name]> } }[keyof WorkObserver];

/** Once in a while: how a thread is, and what it has done since the last time. */
export interface Report {
  observed: readonly Observed[];
  pools: Readonly<Record<string, PoolUse>>;
  longestStallMs: number;
}

export type FromThread =
  | { kind: "log"; line: string }
  /** Facts are applied: there may be deliveries to send. */
  | { kind: "effects" }
  | ({ kind: "report" } & Report);
