import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { parse } from "yaml";
import { openDatabase } from "../../db/client.ts";
import { useEmbeddedDatabase } from "../../db/embedded/database.ts";
import { startReceiver } from "../../testing/receiver.ts";
import { openPassage } from "./passage.ts";
import { isThere, RULES, startPrometheus } from "./prometheus.ts";

// `npm run alerts`: produces the cause of every alert, in processes started as operators do, and checks that a real Prometheus fires it.
// Takes some minutes, since the rules' thresholds are minutes.
if (!isThere()) {
  console.error("Prometheus is not on this machine; on Debian: apt-get install prometheus");
  process.exit(1);
}
const [WEB, WORKER, OLD, PROMETHEUS, API, INSPECTOR] = [39_401, 39_402, 39_403, 39_404, 39_405, 39_406];
const PATIENCE_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), "engagement-alerts-"));
const embedded = await useEmbeddedDatabase({ directory: join(folder, "database"), onChange: () => {} });
const passage = await openPassage(embedded.url);
const database = openDatabase(embedded.url, { connections: 2 });
const receiver = await startReceiver(() => ({ status: 500 }));
const prometheus = startPrometheus(
  folder,
  PROMETHEUS,
  [WEB, WORKER, OLD].map((port) => `127.0.0.1:${port}`),
);
// Poses as a process of another version while `isOldShown` is set.
let isOldShown = false;
const old = createServer((_, response) => response.end(isOldShown ? 'engagement_build_info{version="0.0.1"} 1\n' : "# nothing\n")).listen(
  OLD,
  "127.0.0.1",
);

const base = {
  ...process.env,
  DATABASE_URL: embedded.url,
  AUTH_SECRET: "only for this trial",
  LOG_LEVEL: "silent",
  DEMO: "off",
  PAGES: "off",
};
const start = (file: string, settings: Record<string, string>) =>
  spawn(process.execPath, [file], { env: { ...base, ...settings }, stdio: ["ignore", "ignore", "inherit"] });
const cli = async (...words: string[]) =>
  (await promisify(execFile)(process.execPath, ["server/process/cli.ts", ...words], { env: base })).stdout.trim();

const caused = new Set<string>();
/** Waits until the alerts fire. */
async function fires(...alerts: string[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (const alert of alerts) {
    while (!(await prometheus.firing()).has(alert)) {
      assert.ok(performance.now() < deadline, `${alert} does not fire; firing: ${[...(await prometheus.firing())].join(", ")}`);
      await sleep(500);
    }
    caused.add(alert);
    console.log(`✓ ${alert}`);
  }
}

async function isQuiet(): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await prometheus.firing()).size > 0) {
    assert.ok(performance.now() < deadline, `still firing: ${[...(await prometheus.firing())].join(", ")}`);
    await sleep(500);
  }
}

await cli("project", "create", "--slug", "a", "--name", "A", "--language", "en", "--time-zone", "UTC");
const place = ["--project", "a", "--environment", "sandbox"];
const key = await cli("api-key", "create", ...place, "--name", "alerts");
const web = start("server/process/main.ts", {
  DATABASE_URL: passage.url,
  WORKER: "off",
  PORT: String(API),
  OPERATIONS_PORT: String(WEB),
  POOL_REQUESTS: "2",
  POOL_WAIT_SECONDS: "1.5",
  NODE_OPTIONS: `--inspect=127.0.0.1:${INSPECTOR}`,
});
const startWorker = () => start("server/process/worker.ts", { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true", OPERATIONS_PORT: String(WORKER) });
let worker = startWorker();
const post = (path: string, body: object) =>
  fetch(`http://127.0.0.1:${API}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).then(
    ({ status }) => status,
    () => 0,
  );
const order = (playerId: string) =>
  post("/v1/events", { events: [{ playerId, event: "order_placed", occurredAt: new Date().toISOString() }] });

try {
  while ((await post("/v1/missions", { playerId: "ann" })) !== 200) await sleep(200);
  await isQuiet();
  await sleep(10_000);
  assert.deepEqual([...(await prometheus.firing())], [], "an alert fires while all is well");
  console.log("✓ no alert fires on a healthy service");

  await define();
  await Promise.all(["ann", "bob"].map((playerId) => post("/v1/missions", { playerId })));
  await database.sql`insert into balances (part, player_id, balance) select part, player_id, 9007199254740991 from players where external_id = 'bob'`;
  await order("bob");
  await fires("EngagementFactsQuarantined");

  await order("ann");
  await fires("EngagementDeliveriesFailing");

  worker.kill("SIGTERM");
  await once(worker, "exit");
  await order("ann");
  // Otherwise the next attempt would be due in some minutes.
  await database.sql`update webhook_deliveries set due_at = now() where status = 'Pending'`;
  await fires("EngagementDown", "EngagementWorkerMissing", "EngagementQueueStalled", "EngagementDeliveriesLate");
  worker = startWorker();

  let isOver = false;
  const holding = database.sql.begin(async (tx) => {
    await tx`lock table players in access exclusive mode`;
    while (!isOver) await sleep(100);
  });
  const asking = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (!isOver) await post("/v1/missions", { playerId: "ann" });
    }),
  );
  await fires("EngagementPoolExhausted", "EngagementRequestsFailing", "EngagementRequestsSlow");
  isOver = true;
  await Promise.all([holding, asking]);

  const blocking = setInterval(() => void block(), 2_500);
  await fires("EngagementEventLoopBlocked");
  clearInterval(blocking);

  // A forwarded address that is not trusted is a warning.
  await fetch(`http://127.0.0.1:${API}/sign-in`, { headers: { "X-Forwarded-For": "192.0.2.1" } });
  await fires("EngagementWarns");
  isOldShown = true;
  await fires("EngagementVersionsDiffer");
  isOldShown = false;
  passage.cut(true);
  await fires("EngagementNotReady");

  const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: { alert: string }[] }[] };
  assert.deepEqual(
    groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).filter((alert) => !caused.has(alert)),
    [],
    "alerts that nothing caused",
  );
  console.log("Every alert fired.");
} finally {
  prometheus.stop();
  old.close();
  for (const program of [web, worker]) program.kill("SIGKILL");
  await receiver.close();
  await database.close();
  passage.close();
  await embedded.leave();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** A mission completed by an order, with a webhook receiver that rejects. */
async function define(): Promise<void> {
  const objectives = [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }];
  const file = {
    version: 1,
    events: [{ key: "order_placed", name: "Order placed" }],
    missions: [{ key: "one", name: "One", objectives, rewards: [{ kind: "Points", points: 1 }] }],
  };
  const path = join(folder, "definitions.json");
  writeFileSync(path, JSON.stringify(file));
  await cli("definitions", "import", path, ...place);
  await promisify(execFile)(
    process.execPath,
    ["server/process/cli.ts", "webhook", "create", ...place, "--url", receiver.url, "--events", "mission.completed"],
    { env: { ...base, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true" } },
  );
}

/** Blocks the web process for a second and a half, through its inspector. */
async function block(): Promise<void> {
  const [{ webSocketDebuggerUrl }] = (await (await fetch(`http://127.0.0.1:${INSPECTOR}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket as never, "open");
  socket.send(
    JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: "for (const t = Date.now(); Date.now() - t < 1500;);" } }),
  );
  setTimeout(() => socket.close(), 2_000);
}
