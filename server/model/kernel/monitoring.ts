/** Observes the background work of a process, for its metrics. Its functions return immediately and never throw. */
export interface WorkObserver {
  /** A kind of job (server/operations/worker/registry.ts) looks for due rows. */
  lookBegan(job: string): void;
  sliceApplied(slice: { facts: number; seconds: number; byKind: ReadonlyMap<string, number> }): void;
  factQuarantined(): void;
  deliveryAttempted(attempt: { outcome: "Delivered" | "Retried" | "Failed"; seconds: number }): void;
}

/** The attributes of a span; no player, key, query or body. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A step of a trace under way. */
export interface Span {
  /** 32 hex digits. */
  traceId: string;
  /** W3C Trace Context, for what follows from this step; null if it is not recorded. */
  traceparent: string | null;
  end(outcome: { name?: string; attributes?: SpanAttributes; failed?: boolean }): void;
}

/** Records traces. Left out of every option where OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
export interface Tracer {
  /** @param parent The `traceparent` of its cause; without one a trace begins. */
  start(name: string, kind: "server" | "consumer" | "client", parent: string | null, attributes?: SpanAttributes): Span;
}
