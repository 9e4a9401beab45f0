import { z } from "zod";
import { cursor, forEnvironment, inEnvironment, instantText } from "../../model/contract/rpc.ts";

const quarantined = z.object({
  /** Its position in the order of facts. */
  seq: z.string(),
  /** Null where the player is gone. */
  player: z.string().nullable(),
  kind: z.enum(["Event", "MetricEvent"]),
  /** Key of the event or metric; null where it is gone. */
  key: z.string().nullable(),
  occurredAt: instantText,
  receivedAt: instantText,
  /** JSON text of the event's properties, or of the metric event's amount. */
  content: z.string(),
  error: z.string(),
  /** The meaning of the error, and a remedy. */
  words: z.string(),
  /** Real time. */
  quarantinedAt: instantText,
});

/** Facts that could not be applied. */
export const quarantineDashboard = {
  /** Facts that failed, in the order of facts. */
  quarantined: forEnvironment("Viewer")
    .input(inEnvironment.extend({ cursor, take: z.int().min(1).max(100).default(50) }))
    .output(z.object({ facts: z.array(quarantined), next: z.string().nullable(), count: z.int() })),
  /** What a retry of one would do, or the error it would end with; nothing of it stays. For those who may retry: it holds the player's locks. */
  tryQuarantined: forEnvironment("Support")
    .input(inEnvironment.extend({ seq: z.string().regex(/^\d{1,15}$/) }))
    .output(
      z.discriminatedUnion("isApplied", [
        /** A line for each change; none where it changes nothing. */
        z.object({ isApplied: z.literal(true), changes: z.array(z.string()) }),
        z.object({ isApplied: z.literal(false), words: z.string(), error: z.string() }),
      ]),
    ),
  /** Has them applied once more, these or (null) all of them; how many there were. */
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

/** The longest that one call waits, in milliseconds. */
const LONGEST_WAIT_MS = 20_000;

/** What is still to be done with what was accepted. */
export const settledDashboard = {
  /**
   * Answers as soon as everything that was accepted before the call has been applied: events, metric events, boards to be filled; with
   * `deliveries`, once webhooks that are due have been attempted, too. `isSettled` is false where that took longer than `withinMs`: call
   * again. Facts in quarantine are not waited for. Each count ends at ten thousand.
   */
  settled: forEnvironment("Viewer")
    .input(
      inEnvironment.extend({
        /** The player's external id: then nobody else's facts are waited for. */
        player: z.string().min(1).max(400).nullable().default(null),
        deliveries: z.boolean().default(false),
        withinMs: z.int().min(0).max(LONGEST_WAIT_MS).default(LONGEST_WAIT_MS),
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

/** The last facts received. */
export const eventsDashboard = {
  /** The environment's last facts, and the instant of its first; null and none before it. */
  reception: forEnvironment("Viewer")
    .input(inEnvironment)
    .output(
      z.object({
        hasReceived: z.boolean(),
        /** The address of the API, without a slash at its end: for a first request to copy. */
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
