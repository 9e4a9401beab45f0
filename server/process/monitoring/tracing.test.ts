import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "#db/testing.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { startReceiver, TEST_AUTH_SECRET, testCipher } from "../../delivery/testing.ts";
import { steadyPort } from "../../../e2e/programs.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

interface Received {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** An OTLP collector over HTTP, with the spans it received. */
async function startCollector() {
  const spans: Received[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Received[] }[] }[] };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed" }],
  missions: [
    {
      key: "one",
      name: "One",
      rewards: [{ kind: "Points", points: 1 }],
      objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
    },
  ],
  catalogItems: [{ key: "voucher", name: "Voucher", valueType: "String" }],
  marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 1, contents: [{ catalogItem: "voucher", value: "one" }] }],
};
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("a request, its consequences and its webhook are one trace, which the receiver gets in its headers", async () => {
  const database = await testDatabase();
  const collector = await startCollector();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { sandbox, sandboxKey } = await testProject(database);
  expect(await importDefinitions(database, sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const events = ["mission.completed", "catalog_item.fulfillment_requested"];
  await createEndpoint(database, sandbox, { url: receiver.url, events }, { allowPrivateAddresses: true, cipher: testCipher });

  const port = await steadyPort();
  const settings = {
    DATABASE_URL: await testDatabaseUrl(),
    AUTH_SECRET: TEST_AUTH_SECRET,
    PORT: String(port),
    LOG_LEVEL: "silent",
    PAGES: "off",
    DEMO: "off",
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  };
  const service = spawn(process.execPath, ["server/process/main.ts"], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...settings } as never,
    stdio: "ignore",
  });
  onTestFinished(() => void service.kill("SIGKILL"));
  const send = (path: string, body: object, headers = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${sandboxKey}`, ...headers },
      body: JSON.stringify(body),
    }).catch(() => null);
  await expect.poll(async () => (await send("/v1/missions", { playerId: "ann" }))?.status, { timeout: 100_000, interval: 200 }).toBe(200);
  const event = { playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() };
  await send("/v1/events", { events: [event] }, { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` });

  const spansOf = (trace: string) => collector.spans.filter(({ traceId }) => traceId === trace);
  await expect.poll(() => spansOf(TRACE).length, { interval: 100 }).toBe(3);
  const find = (name: string) => spansOf(TRACE).find((span) => span.name === name);
  expect(find("POST /v1/events")?.parentSpanId).toBe("00f067aa0ba902b7");
  expect(find("apply facts")?.parentSpanId).toBe(find("POST /v1/events")?.spanId);
  expect(find("deliver mission.completed")?.parentSpanId).toBe(find("apply facts")?.spanId);
  expect(receiver.received[0]?.headers["traceparent"]).toBe(`00-${TRACE}-${find("deliver mission.completed")?.spanId}-01`);

  const trace = TRACE.replace("4bf", "5bf");
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const bought = await send("/v1/marketplace-items/voucher/purchases", { playerId: "ann" }, { traceparent });
  expect(bought?.status).toBe(200);
  const ofPurchase = () => spansOf(trace).toSorted((one, other) => (one.name < other.name ? 1 : -1));
  await expect
    .poll(() => ofPurchase().map(({ name }) => name), { interval: 100 })
    .toEqual(["deliver catalog_item.fulfillment_requested", "POST /v1/marketplace-items/{marketplaceItemKey}/purchases"]);
  expect(ofPurchase()[0]?.parentSpanId).toBe(ofPurchase()[1]?.spanId);
  const first = collector.spans.find(({ name }) => name === "POST /v1/missions");
  expect([first?.traceId, first?.parentSpanId], "without a parent a trace begins").toEqual([
    expect.stringMatching(/^[0-9a-f]{32}$/),
    undefined,
  ]);

  service.kill("SIGTERM");
  await once(service, "exit");
  expect(service.exitCode).toBe(0);
});
