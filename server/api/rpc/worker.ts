import { instantOrNull, partsOf } from "./inputs.ts";
import { ORPCError } from "@orpc/server";
import { ConcurrencyLimiter } from "../concurrency-limiter.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { faultInWords, withoutFrames } from "../../operations/worker/fold-words.ts";
import { rehearseQuarantined, retryQuarantined } from "../../operations/worker/quarantine.ts";
import { countQuarantined, selectFirstReceived, selectQuarantined, selectRecent } from "../../operations/worker/store.ts";
import { untilSettled } from "../../operations/worker/until-settled.ts";
import { definitionsOf } from "../../engine/definitions.ts";
import { z } from "zod";
import { cursor, inEnvironment } from "../../model/contract/rpc.ts";
import { forEnvironment } from "../access.ts";

/** The longest wait of one call, in milliseconds. */
const MAX_WAIT_MS = 20_000;

export const quarantineDashboardProcedures = {
  /** Quarantined facts, in the order of facts. */
  quarantined: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ cursor, take: z.int().min(1).max(100).default(50) }),
    async ({ cursor, take }, { database, environment }) => {
      const [rows, definitions, count] = await Promise.all([
        selectQuarantined(database.sql, environment.id, Number(partsOf(cursor, /^(\d{1,15})$/)?.[0] ?? 0), take + 1),
        definitionsOf(database.sql, environment),
        countQuarantined(database.sql, environment.id),
      ]);
      const facts = rows.slice(0, take);
      return {
        count,
        facts: facts.map(({ seq, externalId, definitionId, occurredAt, receivedAt, payload, value, error, quarantinedAt }) => ({
          seq: String(seq),
          player: externalId,
          ...namedIn(definitions, definitionId),
          occurredAt: formatInstant(occurredAt),
          receivedAt: formatInstant(receivedAt),
          content: value ?? payload ?? "{}",
          error: withoutFrames(error),
          words: faultInWords(error),
          quarantinedAt: formatInstant(quarantinedAt),
        })),
        next: rows.length > take || facts.at(-1)?.isFull === true ? String(facts.at(-1)!.seq) : null,
      };
    },
  ),
  /** What a retry of one would do, or its error; everything is rolled back. For roles that may retry, as it locks the player. */
  tryQuarantined: forEnvironment("Support", "cheap")(
    inEnvironment.extend({ seq: z.string().regex(/^\d{1,15}$/) }),
    ({ seq }, { database, environment }) => rehearseQuarantined(database, environment, Number(seq)),
  ),
  /** Retries these facts, or all of them (null); returns their number. */
  retryQuarantined: forEnvironment("Support", "cheap")(
    inEnvironment.extend({
      seqs: z
        .array(z.string().regex(/^\d{1,15}$/))
        .min(1)
        .max(100)
        .nullable(),
    }),
    async ({ seqs }, { database, environment, actor, wake }) => {
      const count = await retryQuarantined(database, environment, seqs?.map(Number) ?? null, actor);
      wake();
      return { count };
    },
  ),
};

/** A waiting call only polls now and then: this many per environment may wait, and as many queue behind them. */
const waiting = new ConcurrencyLimiter({ inFlight: 16, waiting: 16 }, "Too many calls wait for this environment already.");

/** Outstanding work for accepted facts. */
export const settledDashboardProcedures = {
  /**
   * Answers once everything accepted before the call is applied: events, metric events, boards to fill, seats in leagues; with
   * `deliveries`, also once due webhooks have been attempted. `isSettled` is false if that took longer than `withinMs`: call again.
   * Quarantined facts are not awaited. Each count stops at ten thousand.
   */
  settled: forEnvironment("Viewer", "cheap")(
    inEnvironment.extend({
      /** The player's external id: waits for this player's facts only. */
      player: z.string().min(1).max(400).nullable().default(null),
      deliveries: z.boolean().default(false),
      withinMs: z.int().min(0).max(MAX_WAIT_MS).default(MAX_WAIT_MS),
    }),
    async (input, { database, environment, wake }) => {
      const slot = String(environment.id);
      try {
        await waiting.acquire(slot);
      } catch (error) {
        throw new ORPCError("TOO_MANY_REQUESTS", { message: (error as Error).message });
      }
      try {
        wake();
        return await untilSettled(database, environment, input);
      } finally {
        waiting.release(slot);
      }
    },
  ),
};

/** The most recently received facts. */
export const eventsDashboardProcedures = {
  /** The environment's latest facts, and the instant of its first; null and empty before it. */
  reception: forEnvironment("Viewer", "cheap")(inEnvironment, async (_, { database, environment, baseUrl }) => {
    const [first, last, definitions] = await Promise.all([
      selectFirstReceived(database.sql, environment.id),
      selectRecent(database.sql, environment.id),
      definitionsOf(database.sql, environment),
    ]);
    return {
      hasReceived: last.length > 0,
      baseUrl,
      firstReceivedAt: instantOrNull(first),
      last: last.map(({ externalId, definitionId, receivedAt, state }) => ({
        player: externalId,
        ...namedIn(definitions, definitionId),
        receivedAt: formatInstant(receivedAt),
        state,
      })),
    };
  }),
};

/** The kind of a fact, and the key of its definition; null if it was deleted. */
function namedIn({ eventsById, metricsById }: Definitions, definitionId: number) {
  const metric = metricsById.get(definitionId);
  return metric === undefined
    ? { kind: "Event" as const, key: eventsById.get(definitionId)?.key ?? null }
    : { kind: "MetricEvent" as const, key: metric.key };
}
