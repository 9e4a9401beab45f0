import { implement, ORPCError } from "@orpc/server";
import { type DashboardContext, guard } from "../access.ts";
import { ConcurrencyLimiter } from "../concurrency-limiter.ts";
import type { Definitions } from "../../model/definitions/compiled.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { eventsDashboard, quarantineDashboard, settledDashboard } from "../../operations/worker/contract.dashboard.ts";
import { faultInWords, withoutFrames } from "../../operations/worker/fold-words.ts";
import { retryQuarantined } from "../../operations/worker/quarantine.ts";
import { rehearseQuarantined } from "../../operations/worker/rehearse-quarantined.ts";
import { countQuarantined, selectQuarantined } from "../../operations/worker/store/quarantine.ts";
import { selectFirstReceived, selectRecent } from "../../operations/worker/store/recent.ts";
import { untilSettled } from "../../operations/worker/until-settled.ts";
import { definitionsOf } from "../../engine/definitions.ts";

const dashboard = implement(quarantineDashboard).$context<DashboardContext>().use(guard);

export const quarantineDashboardProcedures = {
  quarantined: dashboard.quarantined.handler(async ({ input: { cursor, take }, context: { database, environment } }) => {
    const [rows, definitions, count] = await Promise.all([
      selectQuarantined(database.sql, environment.id, cursorOf(cursor), take + 1),
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
      next: rows.length > take ? String(facts.at(-1)!.seq) : null,
    };
  }),
  tryQuarantined: dashboard.tryQuarantined.handler(({ input: { seq }, context: { database, environment } }) =>
    rehearseQuarantined(database, environment, Number(seq)),
  ),
  retryQuarantined: dashboard.retryQuarantined.handler(async ({ input: { seqs }, context: { database, environment, actor, wake } }) => {
    const count = await retryQuarantined(database, environment, seqs?.map(Number) ?? null, actor);
    wake();
    return { count };
  }),
};

const settled = implement(settledDashboard).$context<DashboardContext>().use(guard);

/** A waiting call only polls now and then: this many per environment may wait, and as many queue behind them. */
const waiting = new ConcurrencyLimiter({ inFlight: 16, waiting: 16 }, "Too many calls wait for this environment already.");

export const settledDashboardProcedures = {
  settled: settled.settled.handler(async ({ input, context: { database, environment, wake } }) => {
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
  }),
};

const events = implement(eventsDashboard).$context<DashboardContext>().use(guard);

export const eventsDashboardProcedures = {
  reception: events.reception.handler(async ({ context: { database, environment, baseUrl } }) => {
    const [first, last, definitions] = await Promise.all([
      selectFirstReceived(database.sql, environment.id),
      selectRecent(database.sql, environment.id),
      definitionsOf(database.sql, environment),
    ]);
    return {
      hasReceived: last.length > 0,
      baseUrl,
      firstReceivedAt: first === null ? null : formatInstant(first),
      last: last.map(({ externalId, definitionId, receivedAt, state }) => ({
        player: externalId,
        ...namedIn(definitions, definitionId),
        receivedAt: formatInstant(receivedAt),
        state,
      })),
    };
  }),
};

/** A fact's definition, by the name that its author gave it. */
function namedIn({ eventsById, metricsById }: Definitions, definitionId: number) {
  const metric = metricsById.get(definitionId);
  return metric === undefined
    ? { kind: "Event" as const, key: eventsById.get(definitionId)?.key ?? null }
    : { kind: "MetricEvent" as const, key: metric.key };
}

function cursorOf(cursor: string | null): number {
  if (cursor !== null && !/^\d{1,15}$/.test(cursor))
    throw new ORPCError("BAD_REQUEST", { message: "Not a valid cursor. Start again from the first page." });
  return cursor === null ? 0 : Number(cursor);
}
