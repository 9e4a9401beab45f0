import { setTimeout as delay } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "#db/client.ts";
import { createLogger } from "../../api/log.ts";
import { mailerOf } from "../../api/sign-in.ts";
import { openCipher } from "../auth-secret.ts";
import type { WorkObserver } from "../../model/kernel/monitoring.ts";
import { openTracing } from "../monitoring/tracing.ts";
import { readSettings } from "../settings.ts";
import { watchStalls } from "../monitoring/stalls.ts";
import { startWorker } from "../../operations/worker/loop.ts";
import { CALLS, type FromThread, type Observed, type ThreadStart } from "./messages.ts";

const REPORT_MS = 500;
/** Spans that the collector does not accept in time are dropped: the process waits for this thread. */
const TRACES_MS = 2_000;

/** A worker thread (server/process/threads/start.ts), with its own connections, definitions and known players. */
const port = parentPort as MessagePort;
const { index, of, databaseUrl, sizes, waitMs, calls } = workerData as ThreadStart;
const tell = (message: FromThread): void => port.postMessage(message);

const settings = readSettings();
const logger = createLogger(settings.logLevel, { write: (line) => tell({ kind: "log", line }) });
const open = (connections: number) => openDatabase(databaseUrl, { connections, waitMs });
const pools = { facts: open(sizes.facts), ...(index === 0 && { deliveries: open(sizes.deliveries) }) };
const mailer = mailerOf(settings, logger);
const tracing = settings.traces ? await openTracing() : undefined;

let observed: Observed[] = [];
const seen = new Set<string>();
const observer: WorkObserver = {
  lookBegan(job) {
    // Some jobs poll every few milliseconds; only the last poll is reported.
    if (!seen.has(job)) observed.push({ name: "lookBegan", of: [job] });
    seen.add(job);
  },
  sliceApplied: (slice) => void observed.push({ name: "sliceApplied", of: [slice] }),
  factQuarantined: () => void observed.push({ name: "factQuarantined", of: [] }),
  deliveryAttempted: (attempt) => void observed.push({ name: "deliveryAttempted", of: [attempt] }),
};
const stalls = watchStalls();
const report = () => {
  const uses = Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, pool.use()]));
  tell({ kind: "report", observed, pools: uses, longestStallMs: stalls.takeLongest() });
  observed = [];
  seen.clear();
};
const reporting = setInterval(report, REPORT_MS);

const worker = startWorker({
  database: pools.facts,
  deliveriesDatabase: pools.deliveries,
  logger,
  observer,
  tracer: tracing?.tracer,
  allowPrivateAddresses: settings.allowPrivateAddresses,
  baseUrl: settings.baseUrl,
  cipher: await openCipher(settings),
  mail: mailer && { mailer, baseUrl: settings.baseUrl },
  share: { index, of, onEffects: () => tell({ kind: "effects" }) },
});

async function stop(): Promise<void> {
  await worker.stop();
  clearInterval(reporting);
  report();
  await Promise.all(Object.values(pools).map((pool) => pool.close()));
  if (tracing !== undefined) await Promise.race([tracing.stop().catch(() => {}), delay(TRACES_MS)]);
  // Ends only this thread.
  process.exit(0);
}

const flags = new Int32Array(calls);
const take = () => {
  const called = Atomics.exchange(flags, 0, 0);
  if (called & CALLS.wake) worker.wake();
  if (called & CALLS.effects) worker.wakeOthers();
  if (called & CALLS.stop) void stop();
};
port.on("message", take);
// Calls that arrived while the thread was starting.
take();
