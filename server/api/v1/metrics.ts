import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { Problem, type ProblemEntry } from "../../model/kernel/problem.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { metricsContract } from "../../game/metrics/contract.ts";
import { takeMetricEvent } from "../../game/metrics/service.ts";

const api = implement(metricsContract).$context<ApiContext>();

export const metricsProcedures = {
  send: api.send.handler(async ({ input, context }) => {
    const { database, environment, now, admitToTail, remembered } = context;
    const sent = {
      externalId: input.externalPlayerId,
      metricKey: input.metricKey,
      value: input.value,
      currencyCode: input.currencyCode ?? null,
      exchangeRate: input.exchangeRate ?? null,
      idempotencyKey: input.idempotencyKey,
      occurredAt: input.occurredAtUtc,
      properties: input.properties ?? {},
      timeZone: input.playerTimeZoneId ?? null,
      admitToTail,
      remembered,
    };
    const taken = takeMetricEvent(database, environment, now, sent, null);
    const note = (receivedAt: number, eventId: string | null, errors: readonly ProblemEntry[]) =>
      context.noteItems({ kind: "MetricEvent", receivedAt, items: [input], results: [{ eventId, errors }] });
    const { event: row, receivedAt } = await taken.catch((error: unknown) => {
      if (error instanceof Problem) note(now, null, error.entries);
      throw error;
    });
    note(receivedAt, row.id, []);
    context.wake();
    return {
      eventId: row.id,
      metricKey: input.metricKey,
      value: row.value,
      currencyCode: row.currencyCode,
      exchangeRate: row.exchangeRate,
      normalizedValue: row.normalizedValue,
      total: row.total,
      occurredAtUtc: formatInstant(row.occurredAt),
      receivedAtUtc: formatInstant(row.receivedAt),
    };
  }),
};
