import type { Transaction } from "#db/client.ts";
import type { TraceScope } from "#db/trace-scope.ts";
import type { Span, Tracer } from "../../model/kernel/monitoring.ts";
import { selectTraces } from "./store.ts";

/** The most traces that a slice joins, so that a backlog causes no flood of spans. */
const MAX_TRACES = 100;

/** A slice's spans in the traces of the requests that sent its facts. */
export interface SliceTraces extends TraceScope {
  end(outcome: { facts: number } | "failed"): void;
}

/** Starts a span in each trace of an environment's first facts in some lanes. Later work for a player belongs to their span. */
export async function openSliceTraces(
  tx: Transaction,
  tracer: Tracer,
  { lanes, environmentId, limit }: { lanes: readonly number[]; environmentId: number; limit: number },
): Promise<SliceTraces> {
  const spans = new Map<string, Span>();
  const ofPlayers = new Map<string, Span>();
  for (const { externalId, traceparent } of await selectTraces(tx, lanes, environmentId, limit)) {
    let span = spans.get(traceparent);
    if (span === undefined && spans.size < MAX_TRACES) {
      span = tracer.start("apply facts", "consumer", traceparent, {
        "engagement.environment": environmentId,
        "engagement.lane": lanes[0]!,
      });
      spans.set(traceparent, span);
    }
    if (span !== undefined) ofPlayers.set(externalId, span);
  }
  return {
    traceparentOf: (player) => (player === null ? null : (ofPlayers.get(player)?.traceparent ?? null)),
    end(outcome) {
      const failed = outcome === "failed";
      for (const span of spans.values()) span.end({ failed, attributes: failed ? {} : { "engagement.slice.facts": outcome.facts } });
    },
  };
}
