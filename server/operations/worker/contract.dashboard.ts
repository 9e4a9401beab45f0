import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

const quarantined = z.object({
  /** Its position in the order of facts. */
  seq: z.string(),
  /** Null if the player was deleted. */
  player: z.string().nullable(),
  kind: z.enum(["Event", "MetricEvent"]),
  /** Key of the event or metric; null if deleted. */
  key: z.string().nullable(),
  occurredAt: instantText,
  receivedAt: instantText,
  /** JSON text of the event's properties, or of the metric event's amount. */
  content: z.string(),
  error: z.string(),
  /** What the error means, and how to fix it. */
  words: z.string(),
  /** Real time. */
  quarantinedAt: instantText,
});

/** Facts that could not be applied. */
export const quarantineDashboard = {
  /** Quarantined facts, in the order of facts. */
  quarantined: forEnvironment("Viewer")
    .input(inEnvironment.extend({ cursor, take: z.int().min(1).max(100).default(50) }))
    .output(z.object({ facts: z.array(quarantined), next: z.string().nullable(), count: z.int() })),
  /** What a retry of one would do, or its error; everything is rolled back. For roles that may retry, as it locks the player. */
  tryQuarantined: forEnvironment("Support")
    .input(inEnvironment.extend({ seq: z.string().regex(/^\d{1,15}$/) }))
    .output(
      z.discriminatedUnion("isApplied", [
        /** A line for each change; empty if nothing changes. */
        z.object({ isApplied: z.literal(true), changes: z.array(z.string()) }),
        z.object({ isApplied: z.literal(false), words: z.string(), error: z.string() }),
      ]),
    ),
  /** Retries these facts, or all of them (null); returns their number. */
  retryQuarantined: forEnvironment("Support")
    .input(
      inEnvironment.extend({
        seqs: z
          .array(z.string().regex(/^\d{1,15}$/))
          .min(1)
          .max(100)
          .nullable(),
      }),
    )
    .output(z.object({ count: z.int() })),
};

/** The longest wait of one call, in milliseconds. */
const MAX_WAIT_MS = 20_000;

/** Outstanding work for accepted facts. */
export const settledDashboard = {
  /**
   * Answers once everything accepted before the call is applied: events, metric events, boards to fill; with `deliveries`, also once due
   * webhooks have been attempted. `isSettled` is false if that took longer than `withinMs`: call again. Quarantined facts are not awaited.
   * Each count stops at ten thousand.
   */
  settled: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        /** The player's external id: waits for this player's facts only. */
        player: z.string().min(1).max(400).nullable().default(null),
        deliveries: z.boolean().default(false),
        withinMs: z.int().min(0).max(MAX_WAIT_MS).default(MAX_WAIT_MS),
      }),
    )
    .output(
      z.object({
        isSettled: z.boolean(),
        facts: z.int(),
        fills: z.int(),
        deliveries: z.int(),
        quarantined: z.int(),
      }),
    ),
};

/** The most recently received facts. */
export const eventsDashboard = {
  /** The environment's latest facts, and the instant of its first; null and empty before it. */
  reception: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        hasReceived: z.boolean(),
        /** The API's address, without a trailing slash: for copying a first request. */
        baseUrl: z.string(),
        firstReceivedAt: instantText.nullable(),
        last: z.array(
          z.object({
            player: z.string(),
            kind: z.enum(["Event", "MetricEvent"]),
            key: z.string().nullable(),
            receivedAt: instantText,
            state: z.enum(["Waiting", "Counted", "Quarantined"]),
          }),
        ),
      }),
    ),
};
