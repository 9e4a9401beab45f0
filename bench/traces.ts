import { randomBytes } from "node:crypto";
import type { Database } from "../db/client.ts";
import { alternate } from "./harness/alternate.ts";
import { type Collector, startCollector } from "./harness/collector.ts";
import { eventDefinition, twentyMissions } from "./harness/definitions.ts";
import { makeItem, playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { requestOf } from "./harness/http.ts";
import { CONNECTIONS, readFor, untilApplied } from "./harness/load.ts";
import { startService } from "./harness/process.ts";
import { enterEveryone, makePlayers, makeProject, missionsRequest } from "./harness/project.ts";
import { expectNothingLeft } from "./harness/recount.ts";
import { sized } from "./harness/size.ts";
import { round } from "./harness/statistics.ts";

const PLAYERS = sized({ smoke: 100, usual: 1_000 });
const DURATION_MS = sized({ smoke: 200, usual: 3_000 });

type MakeRequest = (key: string, player: number) => Buffer;

/** Starts a service on its own database, so that no other process applies its events; it sends traces if there is a collector. */
async function openService(context: Context, name: string, request: MakeRequest, collector: Collector | null) {
  const database = await context.server.create(`bench_${name}_${collector === null ? "plain" : "traced"}`);
  context.atEnd(database.close);
  const project = await makeProject(database, "traces", { events: [eventDefinition("order_placed")], missions: twentyMissions() });
  await makePlayers(database, project, PLAYERS);
  const environment: Record<string, string> = collector === null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const service = await startService(context, database.url, { pages: false, environment });
  await enterEveryone(database, project, service.port);
  const requests = Array.from({ length: PLAYERS }, (_, player) => request(project.key, player));
  let served = 0;
  return {
    database,
    served: () => served,
    probe: {
      name: collector === null ? "without traces" : "with traces",
      costs: { of: "a request, with what follows from it", by: [service] },
      async measure() {
        const turn = await serve(service.port, database, requests);
        served += turn.done;
        return turn;
      },
    },
    /** Sends one request as part of a trace; returns the trace's id. */
    async sendTraced(): Promise<string> {
      const traceId = randomBytes(16).toString("hex");
      const answer = await fetch(`http://127.0.0.1:${service.port}/v1/missions`, {
        method: "POST",
        headers: { Authorization: `Bearer ${project.key}`, traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-01` },
        body: JSON.stringify({ playerId: playerName(0) }),
      });
      await answer.arrayBuffer();
      return traceId;
    },
  };
}

/** Requests a second, from sending the first until the effects of all are applied. */
async function serve(port: number, { sql }: Database, requests: readonly Buffer[]) {
  const started = performance.now();
  const { times } = await readFor(port, requests, CONNECTIONS, DURATION_MS);
  await untilApplied(sql);
  return { value: (times.length * 1000) / (performance.now() - started), done: times.length };
}

const figure = (name: string, what: string, request: MakeRequest): Figure => ({
  name,
  title: `${what} with traces sent to a collector, requests/s to without them`,
  better: "more",
  reach: 0.8,
  stretch: 0.9,
  async measure(context) {
    const collector = await startCollector(context);
    const table = name.replaceAll("-", "_");
    const plain = await openService(context, table, request, null);
    const traced = await openService(context, table, request, collector);
    const measured = await alternate(context, "requests/s", plain.probe, traced.probe);
    const traceId = await traced.sendTraced();
    context.outcome.equal("the collector received the trace of the last request", await collector.receives(traceId), true);
    for (const { database } of [plain, traced]) await expectNothingLeft(context.outcome, database.sql);
    // The last trace has arrived, so any missing earlier ones were dropped by OpenTelemetry, which would make traces look cheap.
    const share = Math.min(1, collector.requests() / traced.served());
    return { ...measured, notes: [...measured.notes, `${round(100 * share)} % of the requests came to the collector as spans`] };
  },
});

export const tracedReads = figure("traced-reads", "POST /v1/missions", (key, player) => missionsRequest(key, playerName(player)));

export const tracedEvents = figure("traced-events", "POST /v1/events of one event", (key, player) =>
  requestOf("POST", "/v1/events", {
    key,
    body: JSON.stringify({ events: [{ ...makeItem(playerName(player)), idempotencyKey: undefined }] }),
  }),
);
