import type { BenchDatabase } from "./database.ts";
import type { Outcome } from "./outcome.ts";

/** The options of a run. */
export interface Options {
  /** Alternations of reference and ours. */
  rounds: number;
  /** A folder for CPU profiles of the service's processes, with which its statements are reported too; null: no profiles. */
  profiles: string | null;
}

export interface Context extends Options {
  server: BenchDatabase;
  /** A figure reports its checks here; a figure without checks fails. */
  outcome: Outcome;
  /** Runs when the figure ends, also on failure; last registered first. */
  atEnd(close: () => Promise<unknown>): void;
  /** Reports progress. */
  say(words: string): void;
}

/** The cost of one operation (an event, a purchase), with a value for each alternation; null where the machine does not report it. */
export interface Cost {
  /** The operation: "an event". */
  of: string;
  /** CPU of the measured Node.js processes, in microseconds. */
  nodeUs: (number | null)[];
  /** CPU of all PostgreSQL processes, in microseconds. */
  postgresUs: (number | null)[];
  /** Bytes of WAL, including the full-page images after a checkpoint. */
  walBytes: number[];
}

/** One side of a figure: what was measured in each alternation. */
export interface Side {
  name: string;
  unit: string;
  values: number[];
  cost?: Cost;
}

export interface Measured {
  reference: Side;
  ours: Side;
  /** Other results to print, a line each. */
  notes: string[];
}

/** A figure: a ratio of ours to a reference, with the value it has to reach. */
export interface Figure {
  name: string;
  title: string;
  /** Whether a larger ratio is better. */
  better: "more" | "less";
  reach: number;
  stretch: number;
  measure(context: Context): Promise<Measured>;
}
