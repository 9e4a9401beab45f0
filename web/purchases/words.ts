import type { HandingOver } from "../../server/model/marketplace/handing-over.ts";

/** Fulfilment states of the filter. */
export const HANDING_OVER_WORDS: Record<HandingOver, string> = {
  Failed: "Failed",
  Waiting: "Pending or held",
  NotSent: "Not sent",
  Delivered: "Delivered",
};

export const HANDING_OVER = Object.keys(HANDING_OVER_WORDS) as HandingOver[];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** "12 s", "3 min": the time between two purchases. */
export const gapInWords = (ms: number): string => (ms < MINUTE ? `${Math.round(ms / SECOND)} s` : `${Math.round(ms / MINUTE)} min`);
