import { z } from "zod";
import { BACKTESTED_KINDS, DAYS, SAMPLE } from "../../model/backtests/result.ts";
import { inEnvironment } from "../../model/contract/rpc.ts";
import { alongShape } from "../../model/definitions/contract.ts";

/** When a player meets the draft: at the start of the window, or just before their first event that it counts. */
const ENTRIES = ["WindowStart", "FirstEvent"] as const;
export type Entry = (typeof ENTRIES)[number];

/** The input of a backtest. */
export const backtestShape = inEnvironment.extend({
  kind: z.enum(BACKTESTED_KINDS),
  /** A definition as the file has it, as JSON text. */
  document: z.string().max(1_000_000),
  along: alongShape,
  days: z.int().min(DAYS.min).max(DAYS.max).default(30),
  entry: z.enum(ENTRIES).default("WindowStart"),
  /** The most players to play; all of them if there are no more. */
  sample: z.int().min(SAMPLE.min).max(SAMPLE.max).default(10_000),
});
