import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";
import type { Database } from "#db/client.ts";
import type { PoolUse } from "#db/gate.ts";
import type { RequestLine } from "../../api/log.ts";
import type { WorkObserver } from "../../model/kernel/monitoring.ts";
import { STALL_MS, type StallWatch } from "./stalls.ts";
import type { ThreadFigures, WorkerThreads } from "../threads/start.ts";
import { type MeasuredBacklog, MAX_COUNTED, MAX_FACTS, selectBacklog } from "./store.ts";

/** What a process reports, read on each scrape. */
interface Measured {
  version: string;
  /** The backlog is read from the database at most this often. */
  backlogMs: number;
  stalls: StallWatch;
  warnings(): number;
  inFlight(): number;
  isReady(): Promise<boolean>;
  /** The pools of connections by name; empty before they are open. */
  pools(): ReadonlyMap<string, PoolUse>;
  /** The worker's threads; null if it runs in the main thread, or not at all. */
  threads(): Pick<WorkerThreads, "figures" | "restarts"> | null;
  /** The database to read the backlog from; null while the process does not serve. */
  database(): Database | null;
}

/** A process's metrics in Prometheus's text format, and the hooks that feed them. */
export interface Metrics {
  text(): Promise<string>;
  /** A request ended, with its status class; "none" if the client disconnected first. */
  ended(status: string): void;
  /** The public API, or a procedure of the dashboard, has answered. */
  served(line: Pick<RequestLine, "route" | "status" | "durationMs">): void;
  observer: WorkObserver;
  /** Errors since the process started. */
  errors(): Promise<ErrorCounts>;
}

/** 5xx answers, failed webhook attempts, and quarantined facts. */
interface ErrorCounts {
  serverErrors: number;
  failedAttempts: number;
  quarantined: number;
}

/** Timeout for reading the backlog. */
const BACKLOG_WAIT_MS = 2_000;

/** Seconds: from a one-row read to the longest that a client waits. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const SLICE_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const SIZE_BUCKETS = [1, 10, 50, 100, 250, 500, 1000, 2000];
const ATTEMPT_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Values by their labels. */
type Values = Iterable<readonly [Record<string, string>, number]>;

export function openMetrics({ version, backlogMs, stalls, warnings, inFlight, isReady, pools, threads, database }: Measured): Metrics {
  const register = new Registry();
  const registers = [register];
  // Milliseconds. The defaults, 10 and 100, took a third of an idle server's main thread.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20, eventLoopUtilizationTimeout: 1_000 });
  /** Gauges that are read when they are asked for, by their labels. */
  const gauges = (name: string, help: string, labelNames: string[], read: () => Values | Promise<Values>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const values = await read();
        this.reset();
        for (const [labels, value] of values) this.set(labels, value);
      },
    });
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    gauges(name, help, [], async () => [[{}, await read()]]);
  // The client library's counters only rise by calls; these are read from elsewhere.
  const counters = (name: string, help: string, labelNames: string[], read: () => Values) =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  const counter = (name: string, help: string, read: () => number) => counters(name, help, [], () => [[{}, read()]]);
  const labelled = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  new Gauge({ name: "engagement_build_info", help: "1, with the versions of what runs.", labelNames: ["version", "node"], registers }).set(
    { version, node: process.versions.node },
    1,
  );
  gauge("engagement_ready", "Whether requests are served: 1 or 0.", async () => Number(await isReady()));
  gauge("engagement_warnings", "What should be corrected although requests are served; /ready says what.", warnings);
  gauge("engagement_http_requests_in_flight", "Requests being answered.", inFlight);
  const requests = labelled("engagement_http_requests_total", "Requests answered, by class of status; none: the caller went away first.", [
    "status",
  ]);
  const durations = histogram(
    "engagement_request_duration_seconds",
    "Time to answer the public API, by route and status code; route none: no such path.",
    REQUEST_BUCKETS,
    ["route", "code"],
  );

  const sliceSeconds = histogram("engagement_slice_duration_seconds", "Time to apply a slice of the queue.", SLICE_BUCKETS);
  const sliceFacts = histogram("engagement_slice_facts", "Facts in a slice.", SIZE_BUCKETS);
  const applied = labelled("engagement_facts_applied_total", "Facts applied from the queue, by kind.", ["kind"]);
  const setAside = labelled("engagement_facts_quarantined_total", "Facts that this process has put in quarantine.", []);
  const attempts = labelled("engagement_webhook_attempts_total", "Attempts to deliver a webhook, by outcome.", ["outcome"]);
  const attemptSeconds = histogram("engagement_webhook_attempt_duration_seconds", "Time of an attempt to deliver.", ATTEMPT_BUCKETS);
  const looks = new Gauge({
    name: "engagement_job_last_run_timestamp_seconds",
    help: "When this process last looked for work of a kind (Unix time).",
    labelNames: ["work"],
    registers,
  });

  const ofPools = (read: (use: PoolUse) => number) => () => [...pools()].map(([pool, use]) => [{ pool }, read(use)] as const);
  const pooled = (name: string, help: string, read: (use: PoolUse) => number) => gauges(name, help, ["pool"], ofPools(read));
  pooled("engagement_pool_connections", "Connections that a pool may lend.", ({ size }) => size);
  pooled("engagement_pool_in_use", "Connections lent.", ({ inUse }) => inUse);
  pooled("engagement_pool_waiting", "Queries and transactions that wait for a connection.", ({ waiting }) => waiting);
  counters(
    "engagement_pool_refused_total",
    "Queries and transactions that no connection became free for in time.",
    ["pool"],
    ofPools(({ refused }) => refused),
  );

  /** Two gauges that cover the time since the last scrape: the first one that is collected reads the figures for both. */
  function gaugesOfThreads(): void {
    let figures: readonly ThreadFigures[] = [];
    const ofThreads = (read: (one: ThreadFigures) => number) => figures.map((one) => [{ thread: String(one.index) }, read(one)] as const);
    gauges(
      "engagement_worker_thread_busy_ratio",
      "The share of time that a thread of the worker was busy since the last scrape.",
      ["thread"],
      () => {
        figures = threads()?.figures() ?? [];
        return ofThreads(({ busy }) => busy);
      },
    );
    gauges(
      "engagement_worker_thread_longest_stall_seconds",
      "The longest time that its event loop stood still since the last scrape.",
      ["thread"],
      () => ofThreads(({ longestStallMs }) => longestStallMs / 1000),
    );
  }

  /** The query under way. One that takes longer than the time between two scrapes must not take one connection after the other. */
  let reading: Promise<MeasuredBacklog | null> | null = null;
  const ask = cached(async (): Promise<MeasuredBacklog | null> => {
    const opened = database();
    if (opened === null) return null;
    reading ??= selectBacklog(opened.sql)
      .catch(() => null)
      .finally(() => (reading = null));
    return Promise.race([reading, sleep(BACKLOG_WAIT_MS, null, { ref: false })]);
  }, backlogMs);
  // NaN if the database has not answered: neither an alert nor an all-clear.
  const waiting = (name: string, help: string, key: keyof MeasuredBacklog) => gauge(name, help, async () => (await ask())?.[key] ?? NaN);
  const upTo = (most: number) => `counted up to ${most.toLocaleString("en")}`;
  const bound = upTo(MAX_COUNTED);
  waiting("engagement_queue_facts", `Accepted facts that are not applied, ${upTo(MAX_FACTS)}.`, "facts");
  waiting("engagement_queue_lanes", "The number of lanes: so many slices of the queue can be applied at once.", "lanes");
  waiting("engagement_queue_oldest_fact_age_seconds", "How long the oldest of them has waited.", "oldestFactAge");
  waiting("engagement_quarantined_facts", `Facts in quarantine, ${bound}.`, "quarantined");
  waiting("engagement_webhook_due", `Deliveries that are due, to endpoints that are on; of each ${bound}.`, "dueDeliveries");
  waiting("engagement_webhook_oldest_due_age_seconds", "How long the oldest of them has been due.", "oldestDueDeliveryAge");
  waiting("engagement_database_size_bytes", "The size of the database.", "databaseBytes");

  counter(
    "engagement_event_loop_stalls_total",
    `Times that requests waited ${STALL_MS} ms for this process's own work.`,
    () => stalls.figures.count,
  );
  counter("engagement_event_loop_stall_seconds_total", "How long they waited together.", () => stalls.figures.totalMs / 1000);
  gauge("engagement_event_loop_longest_stall_seconds", "The longest wait since the last scrape.", () => stalls.takeLongest() / 1000);
  gaugesOfThreads();
  counter(
    "engagement_worker_thread_restarts_total",
    "Times that a thread of the worker failed and was started again.",
    () => threads()?.restarts() ?? 0,
  );
  gauge("process_uptime_seconds", "Time since this process started.", () => process.uptime());

  return {
    text: () => register.metrics(),
    ended: (status) => requests.inc({ status }),
    async errors() {
      const [answers, tries, aside] = await Promise.all([requests.get(), attempts.get(), setAside.get()]);
      const sum = (values: { value: number }[]) => values.reduce((all, { value }) => all + value, 0);
      return {
        serverErrors: sum(answers.values.filter(({ labels }) => labels.status === "5xx")),
        failedAttempts: sum(tries.values.filter(({ labels }) => labels.outcome !== "Delivered")),
        quarantined: sum(aside.values),
      };
    },
    served: ({ route, status, durationMs }) => durations.observe({ route: route ?? "none", code: String(status) }, durationMs / 1000),
    observer: {
      lookBegan: (work) => looks.set({ work }, Date.now() / 1000),
      sliceApplied({ facts, seconds, byKind }) {
        if (facts === 0) return;
        sliceSeconds.observe(seconds);
        sliceFacts.observe(facts);
        for (const [kind, count] of byKind) applied.inc({ kind }, count);
      },
      factQuarantined: () => setAside.inc(),
      deliveryAttempted({ outcome, seconds }) {
        attempts.inc({ outcome });
        attemptSeconds.observe(seconds);
      },
    },
  };
}

/** Calls `ask` at most once per `keptMs`; concurrent callers share the result. A failure is cached too. */
function cached<T>(ask: () => Promise<T>, keptMs: number): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    if (answer === null || performance.now() - askedAt >= keptMs) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}
