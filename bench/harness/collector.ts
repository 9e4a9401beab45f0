import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "./figure.ts";

/** Longer than OpenTelemetry collects spans before it sends them. */
const PATIENCE_MS = 20_000;
/** The number of latest bodies that are kept for searching. */
const KEPT = 50;

export interface Collector {
  url: string;
  /** Waits for a trace with this id (32 hex digits); false if it does not arrive. */
  receives(traceId: string): Promise<boolean>;
  /** The number of request spans received so far. */
  requests(): number;
}

/** Starts a collector that receives traces by OTLP over HTTP, as OpenTelemetry sends them by default. */
export async function startCollector({ atEnd }: Context): Promise<Collector> {
  let bodies: Buffer[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies = [...bodies.slice(1 - KEPT), body];
      requests += serverSpansIn(body);
      response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async receives(traceId) {
      const bytes = Buffer.from(traceId, "hex");
      const deadline = performance.now() + PATIENCE_MS;
      while (!bodies.some((body) => body.includes(bytes))) {
        if (performance.now() > deadline) return false;
        await sleep(50);
      }
      return true;
    },
    requests: () => requests,
  };
}

/** Field numbers of OTLP messages (opentelemetry/proto/trace/v1/trace.proto), and the kind of a server's request span. */
const [RESOURCE_SPANS, SCOPE_SPANS, SPAN, KIND, SERVER] = [1, 2, 2, 6, 2];

/** The number of request spans in a body; the protobuf is parsed only as far as counting needs. */
function serverSpansIn(body: Buffer): number {
  let count = 0;
  for (const resource of fieldsOf(body, RESOURCE_SPANS))
    for (const scope of fieldsOf(resource as Buffer, SCOPE_SPANS))
      for (const span of fieldsOf(scope as Buffer, SPAN))
        for (const kind of fieldsOf(span as Buffer, KIND)) if (kind === SERVER) count += 1;
  return count;
}

/** The values of one field of a message: bytes, or a number. */
function* fieldsOf(message: Buffer, wanted: number): Generator<Buffer | number> {
  let at = 0;
  const varint = () => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    let value: Buffer | number = 0;
    if (wire === 0) value = varint();
    else if (wire === 2) {
      const length = varint();
      value = message.subarray(at, (at += length));
    } else at += wire === 1 ? 8 : 4;
    if (field === wanted) yield value;
  }
}
