import type { BenchDatabase } from "./database.ts";
import type { Outcome } from "./outcome.ts";

/** The options of a run. */
export interface Options {
  /** Alternations of reference and ours. */
  rounds: number;
  /** A folder for CPU profiles of the service's processes, whose statements are told too; null: none are taken. */
  profiles: string | null;
}

export interface Context extends Options {
  server: BenchDatabase;
  /** A figure reports its checks here; without any it fails. */
  outcome: Outcome;
  /** Runs when the figure ends, also on failure; last registered first. */
  atEnd(close: () => Promise<unknown>): void;
  /** Reports progress. */
  say(words: string): void;
}

/** What one thing costs (an event, a purchase), each a value for every alternation; a value is null where the machine does not tell. */
export interface Cost {
  /** The thing: "event". */
  of: string;
  /** CPU of the measured processes of Node.js, in microseconds. */
  nodeUs: (number | null)[];
  /** CPU of PostgreSQL with all its processes, in microseconds. */
  postgresUs: (number | null)[];
  /** What PostgreSQL wrote ahead, in bytes, with the pages that it writes whole after a checkpoint. */
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
  /** Further readings worth a line. */
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
