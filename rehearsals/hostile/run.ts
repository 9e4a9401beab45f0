import { setTimeout as delay } from "node:timers/promises";
import type { Case } from "./cases.ts";
import { type Outcome, send, sizeOf, type Sent } from "./send.ts";
import type { Attacked } from "./service.ts";

/** A description of a violation, with the number of its case. */
export interface Finding {
  number: number;
  words: string;
}

/** The result of a run. */
export interface Report {
  sent: number;
  bytesSent: number;
  /** The number of responses by request and status: "POST /v1/events 400". */
  answers: Map<string, number>;
  /** The response that is largest in relation to its request. */
  largestRatio: { ratio: number; name: string };
  longestStallMs: number;
  /** Stalls that no single case reproduced: several cases together, or the machine, caused them. */
  passingStalls: number;
  ordinary: { asked: number; slowestMs: number };
  findings: Finding[];
}

interface RunOptions {
  service: Attacked;
  caseAt(number: number): Case;
  first: number;
  /** Whether to continue after this many cases. */
  continues(sent: number): boolean;
  /** Called with the report so far. */
  afterRound?(report: Report): void;
}

const CONCURRENCY = 6;
/** The cases of a round, after which the process's figures are read. */
const ROUND_SIZE = 60;
/** The run stops after this many findings. */
const MAX_FINDINGS = 30;

/** A JSON response may be ten times as large as its request, plus 64 KiB. */
const SLACK = 64 * 1024;
const FACTOR = 10;

/** 503 by design: the database is unreachable or overloaded, too many large files are being uploaded, or too many pages rendered. */
const REFUSED_BY_DESIGN = new Set(["service.unavailable", "SERVICE_UNAVAILABLE", "pages"]);
/** These return stored data, so their responses may be large however short the request is. */
const READS_STORED =
  /^(GET |POST \/v1\/(missions|mission-collections)|POST \/rpc\/(definitions\/(catalogue|list|get|difference|images)|(keys|tokens|webhooks|members)\/list)$)/;

/** Sends cases, several at the same time, beside an ordinary customer's traffic. */
export async function attack({ service, caseAt, first, continues, afterRound }: RunOptions): Promise<Report> {
  const report: Report = {
    sent: 0,
    bytesSent: 0,
    answers: new Map(),
    largestRatio: { ratio: 0, name: "" },
    longestStallMs: 0,
    passingStalls: 0,
    ordinary: { asked: 0, slowestMs: 0 },
    findings: [],
  };
  const stop = new AbortController();
  const ordinaryTraffic = behave(service, report, stop.signal);
  let next = first;
  const isOver = () => !continues(next - first) || report.findings.length >= MAX_FINDINGS;
  while (!isOver()) {
    const before = await service.figures();
    const round: Case[] = [];
    const sendOn = async () => {
      while (round.length < ROUND_SIZE && !isOver()) {
        const one = caseAt(next++);
        round.push(one);
        await sendOne(service, one, report);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, sendOn));
    const { stalls, longestStallSeconds } = await service.figures();
    report.longestStallMs = Math.max(report.longestStallMs, longestStallSeconds * 1000);
    if (stalls > before.stalls) await findStallingCases(service, round, report);
    afterRound?.(report);
  }
  stop.abort();
  await ordinaryTraffic;
  return report;
}

function requestOf({ port, key, cookie }: Attacked, { target, path, headers, body }: Case): Sent {
  const own = { v1: { authorization: `Bearer ${key}` }, rpc: { cookie, "x-csrf-token": "orpc" }, page: {} }[target.kind] as Record<
    string,
    string
  >;
  return { port, method: target.method, path, headers: { ...headers, ...own }, body };
}

async function sendOne(service: Attacked, one: Case, report: Report): Promise<void> {
  const sent = requestOf(service, one);
  const outcome = await send(sent);
  const size = sizeOf(sent);
  report.sent += 1;
  report.bytesSent += size;
  const at = `${one.target.name} ${outcome.status === 0 ? outcome.code : outcome.status}`;
  report.answers.set(at, (report.answers.get(at) ?? 0) + 1);
  const ratio = outcome.bytes / (size + SLACK / FACTOR);
  const isCounted = outcome.type.includes("json") && !READS_STORED.test(one.target.name);
  if (isCounted && ratio > report.largestRatio.ratio) report.largestRatio = { ratio, name: one.name };
  const words = wrongWith(outcome, size, isCounted);
  if (words !== null) report.findings.push({ number: one.number, words: `${one.name} ${words}` });
}

function wrongWith({ status, bytes, code }: Outcome, size: number, isCounted: boolean): string | null {
  if (status === 0) return `was not answered (${code})`;
  if (status >= 500 && !(status === 503 && REFUSED_BY_DESIGN.has(code))) return `was answered ${status} ${code}`;
  if (isCounted && bytes > FACTOR * size + SLACK) return `of ${size} bytes was answered with ${bytes}`;
  return null;
}

/** Repeats each case of a round alone, to find those that stall the process. */
async function findStallingCases(service: Attacked, round: readonly Case[], report: Report): Promise<void> {
  let isFound = false;
  for (const one of round) {
    const before = await service.figures();
    await send(requestOf(service, one));
    const { stalls, stallSeconds } = await service.figures();
    if (stalls === before.stalls) continue;
    isFound = true;
    const ms = Math.round((stallSeconds - before.stallSeconds) * 1000);
    report.findings.push({ number: one.number, words: `${one.name} (${one.body?.length ?? 0} bytes) held the process for ${ms} ms` });
  }
  if (!isFound) report.passingStalls += 1;
}

/** Sends the ordinary traffic of another organization's customer. */
async function behave(service: Attacked, { ordinary, findings }: Report, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const words = await ordinaryRequest(service, ordinary);
    if (words !== null) findings.push({ number: -1, words });
    await delay(100);
  }
}

/**
 * How long another's request may take in a long run, by the slowest of a quiet time on the same machine: many times as long, as the hostile
 * requests use the same cores. Milliseconds.
 */
export const mayTake = (quietMs: number): number => Math.max(2_000, 20 * quietMs);

/** Sends the next ordinary request, counted in `figures`; returns a line if it failed, otherwise null. */
export async function ordinaryRequest(
  { port, ordinaryKey, cookie, slug }: Attacked,
  figures = { asked: 0, slowestMs: 0 },
): Promise<string | null> {
  const own = { authorization: `Bearer ${ordinaryKey}`, "content-type": "application/json" };
  const event = { playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString(), properties: { amount: 4.5 } };
  const requests: Omit<Sent, "port">[] = [
    { method: "GET", path: "/v1/points?PlayerId=ann", headers: own, body: null },
    { method: "POST", path: "/v1/missions", headers: own, body: Buffer.from('{"playerId":"ann"}') },
    { method: "POST", path: "/v1/events", headers: own, body: Buffer.from(JSON.stringify({ events: [event] })) },
    {
      method: "POST",
      path: "/rpc/projects/place",
      headers: { cookie, "x-csrf-token": "orpc", "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ json: { project: slug } })),
    },
    { method: "GET", path: "/sign-in", headers: { accept: "text/html" }, body: null },
  ];
  const one = requests[figures.asked % requests.length]!;
  const started = performance.now();
  const { status, code } = await send({ port, ...one });
  figures.asked += 1;
  figures.slowestMs = Math.max(figures.slowestMs, performance.now() - started);
  return status === 200 ? null : `an ordinary ${one.method} ${one.path} was answered ${status} ${code}`;
}
