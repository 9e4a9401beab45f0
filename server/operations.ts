import type { RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
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
  const warnings = new Set<string>();
  const stalls = watchStalls();
  let inFlight = 0;
  let database: Database | null = null;

  const isReady = async (): Promise<boolean> => {
    if (!database) return false;
    const asked = database.sql`select 1`.then(() => true).catch(() => false);
    return Promise.race([asked, sleep(DATABASE_MS, false, { ref: false })]);
  };

  const { register, requests } = openFigures({ warnings, stalls, inFlight: () => inFlight, isReady });

  const ready = (): Page => ({ status: 200, body: ["ready", ...[...warnings].map((text) => `warning: ${text}`), ""].join("\n") });

  const pages: Record<string, () => Promise<Page>> = {
    "/live": async () => ({ status: 200, body: "live\n" }),
    "/ready": async () => ((await isReady()) ? ready() : { status: 503, body: "not ready\n" }),
    "/metrics": async () => ({ status: 200, body: await register.metrics() }),
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
        requests.inc({ status });
      });
    },
    listener(request, response) {
      const page = pages[request.url ?? ""] ?? nothingThere;
      void page().then(({ status, body }) => response.writeHead(status, HEADERS).end(body));
    },
  };
}

interface Measured {
  warnings: ReadonlySet<string>;
  stalls: StallWatch;
  inFlight(): number;
  isReady(): Promise<boolean>;
}

/** The figures of this process in the text format of Prometheus. Each gauge is asked when the page is. */
function openFigures({ warnings, stalls, inFlight, isReady }: Measured): { register: Registry; requests: Counter<"status"> } {
  const register = new Registry();
  const registers = [register];
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  // A counter of prom-client only rises by calls; these rise by themselves, and are read.
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  collectDefaultMetrics({ register });
  gauge("engagement_ready", "Whether requests are served: 1 or 0.", async () => Number(await isReady()));
  gauge("engagement_warnings", "What should be put right although requests are served; /ready says what.", () => warnings.size);
  gauge("engagement_http_requests_in_flight", "Requests being answered.", inFlight);
  counter(
    "engagement_event_loop_stalls_total",
    `Times that requests waited ${STALL_MS} ms for this process's own work.`,
    () => stalls.figures.count,
  );
  counter("engagement_event_loop_stall_seconds_total", "How long they waited together.", () => stalls.figures.totalMs / 1000);
  gauge("engagement_event_loop_longest_stall_seconds", "The longest wait since this was last asked.", () => stalls.takeLongest() / 1000);
  gauge("process_uptime_seconds", "Time since this process started.", () => process.uptime());
  const requests = new Counter({
    name: "engagement_http_requests_total",
    help: "Requests answered, by class of status; none: the caller went away first.",
    labelNames: ["status"],
    registers,
  });
  return { register, requests };
}
