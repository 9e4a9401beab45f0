import { createRequire } from "node:module";
import type { Tracer } from "../../model/kernel/monitoring.ts";
import type { Lifecycle } from "../lifecycle.ts";

/** A tracer that exports spans by OTLP, and its shutdown, which sends the rest. */
export interface Tracing {
  tracer: Tracer;
  stop(): Promise<void>;
}

const { version: VERSION } = createRequire(import.meta.url)("../../../package.json") as { version: string };

/** The tracer of a process; undefined unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export async function openTracer({ settings, manage }: Pick<Lifecycle, "manage"> & { settings: { traces: boolean } }) {
  if (!settings.traces) return undefined;
  return (await manage(openTracing(), ({ stop }) => stop().catch(() => {}))).tracer;
}

/**
 * Loads OpenTelemetry, which reads its own settings: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and the others of
 * its specification. Loaded only here, so that a process without tracing pays nothing for it.
 */
export async function openTracing(): Promise<Tracing> {
  const [{ NodeSDK }, { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags }] = await Promise.all([
    import("@opentelemetry/sdk-node"),
    import("@opentelemetry/api"),
  ]);
  const sdk = new NodeSDK({ serviceName: "engagement", metricReaders: [], logRecordProcessors: [], instrumentations: [] });
  sdk.start();
  const recorder = trace.getTracer("engagement", VERSION);
  const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

  const contextOf = (traceparent: string | null) => {
    const [, traceId = "", spanId = "", flags = ""] = traceparent === null ? [] : (PARTS.exec(traceparent) ?? []);
    if (traceId === "") return ROOT_CONTEXT;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true });
  };

  const tracer: Tracer = {
    start(name, kind, parent, attributes = {}) {
      const span = recorder.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      const isRecorded = (traceFlags & TraceFlags.SAMPLED) !== 0;
      return {
        traceId,
        traceparent: isRecorded ? `00-${traceId}-${spanId}-01` : null,
        end({ name: finalName, attributes: more, failed = false }) {
          if (finalName !== undefined) span.updateName(finalName);
          if (more !== undefined) span.setAttributes(more);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
  return { tracer, stop: () => sdk.shutdown() };
}

const PARTS = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;
