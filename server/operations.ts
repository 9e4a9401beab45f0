import type { RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/client.ts";
import { STALL_MS, type StallWatch, watchStalls } from "./stalls.ts";

/** The endpoints for load balancers and monitors, on a port of their own. */
export interface Operations {
  listener: RequestListener;
  /** The process serves from now on, on this database. */
  begin(database: Database): void;
  /** It stops: it is still alive, but wants no more requests. */
  end(): void;
  /** Reports from now on, with /ready, a problem that does not stop requests. False where it was reported before. */
  warn(message: string): boolean;
  /** Counts a request and how it ended. */
  count(response: ServerResponse): void;
}

interface Page {
  status: number;
  body: string;
}

const DATABASE_MS = 2_000;
const HEADERS = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" };

const nothingThere = async (): Promise<Page> => ({ status: 404, body: "There are /live, /ready and /metrics.\n" });

export function createOperations(): Operations {
  const requests = new Map<string, number>();
  const warnings = new Set<string>();
  const stalls = watchStalls();
  let inFlight = 0;
  let database: Database | null = null;

  const isReady = async (): Promise<boolean> => {
    if (!database) return false;
    const asked = database.sql`select 1`.then(() => true).catch(() => false);
    return Promise.race([asked, sleep(DATABASE_MS, false, { ref: false })]);
  };

  const ready = (): Page => ({ status: 200, body: ["ready", ...[...warnings].map((text) => `warning: ${text}`), ""].join("\n") });

  const pages: Record<string, () => Promise<Page>> = {
    "/live": async () => ({ status: 200, body: "live\n" }),
    "/ready": async () => ((await isReady()) ? ready() : { status: 503, body: "not ready\n" }),
    "/metrics": async () => ({
      status: 200,
      body: metrics({ requests, inFlight, warnings: warnings.size, stalls, isReady: await isReady() }),
    }),
  };

  return {
    begin: (opened) => (database = opened),
    end: () => (database = null),
    warn(message) {
      const isNew = !warnings.has(message);
      warnings.add(message);
      return isNew;
    },
    count(response) {
      inFlight += 1;
      response.once("close", () => {
        inFlight -= 1;
        const status = response.headersSent ? `${Math.trunc(response.statusCode / 100)}xx` : "none";
        requests.set(status, (requests.get(status) ?? 0) + 1);
      });
    },
    listener(request, response) {
      const page = pages[request.url ?? ""] ?? nothingThere;
      void page().then(({ status, body }) => response.writeHead(status, HEADERS).end(body));
    },
  };
}

interface Figures {
  requests: ReadonlyMap<string, number>;
  inFlight: number;
  warnings: number;
  stalls: StallWatch;
  isReady: boolean;
}

/** In the text format of Prometheus. */
function metrics({ requests, inFlight, warnings, stalls, isReady }: Figures): string {
  const { user, system } = process.cpuUsage();
  return [
    ...metric("engagement_ready", "gauge", "Whether requests are served: 1 or 0.", Number(isReady)),
    ...metric("engagement_warnings", "gauge", "What should be put right although requests are served; /ready says what.", warnings),
    ...metric("engagement_http_requests_in_flight", "gauge", "Requests being answered.", inFlight),
    "# HELP engagement_http_requests_total Requests answered, by class of status; none: the caller went away first.",
    "# TYPE engagement_http_requests_total counter",
    ...[...requests].map(([status, count]) => `engagement_http_requests_total{status="${status}"} ${count}`),
    ...metric(
      "engagement_event_loop_stalls_total",
      "counter",
      `Times that requests waited ${STALL_MS} ms for this process's own work.`,
      stalls.figures.count,
    ),
    ...metric("engagement_event_loop_stall_seconds_total", "counter", "How long they waited together.", stalls.figures.totalMs / 1000),
    ...metric(
      "engagement_event_loop_longest_stall_seconds",
      "gauge",
      "The longest wait since this was last asked.",
      stalls.takeLongest() / 1000,
    ),
    ...metric("process_resident_memory_bytes", "gauge", "Memory of this process.", process.memoryUsage.rss()),
    ...metric("process_cpu_seconds_total", "counter", "Processor time of this process.", (user + system) / 1e6),
    ...metric("process_uptime_seconds", "gauge", "Time since this process started.", process.uptime()),
    "",
  ].join("\n");
}

const metric = (name: string, type: "gauge" | "counter", help: string, value: number): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  `${name} ${value}`,
];
