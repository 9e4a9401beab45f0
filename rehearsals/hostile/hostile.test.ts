import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { ATTACKS } from "./attacks.ts";
import { casesOf } from "./cases.ts";
import { attack, mayTake, ordinaryRequest, type Report } from "./run.ts";
import { closeConnections } from "./send.ts";
import { startAttacked } from "./service.ts";
import { listTargets } from "./targets.ts";
import { askByCurl, bodiesThatNeverArrive, tryOnWire, wireAttacks } from "./wire.ts";

/**
 * Hostile traffic: no request may delay others. For longer runs `npm run hostile -- --minutes n --bodies n`; `--seed n --first n --bodies
 * 1` repeats a finding.
 */
const MINUTES = Number(process.env["HOSTILE_MINUTES"] ?? 0);
/** Every attack once, and a generated body for every target. */
const SHORT_BODIES = 320;
const BODIES = Number(process.env["HOSTILE_BODIES"] ?? (MINUTES > 0 ? Infinity : SHORT_BODIES));
const SEED = Number(process.env["HOSTILE_SEED"] ?? 1);
const FIRST = Number(process.env["HOSTILE_FIRST"] ?? 0);
/** The length in `npm test`; longer runs are started by hand. A finding of a long run keeps its number when it is repeated. */
const isShort = MINUTES === 0 && process.env["HOSTILE_BODIES"] === undefined;
/** The bodies after which code is loaded and caches are filled, so that memory is compared from then on. */
const WARM_UP = Math.min(BODIES, isShort ? 60 : 200);
/** The ordinary requests before a long run, to which those during it are compared. */
const QUIET_REQUESTS = 200;
const PATIENCE_MS = 600_000 + MINUTES * 120_000 + (BODIES < Infinity ? BODIES * 200 : 0);

const MIB = 1024 * 1024;
/** The memory that a process may retain: filled caches, compiled code, the allocator's pages. */
const MAY_KEEP = { heap: 96 * MIB, external: 64 * MIB, rss: 512 * MIB };

const service = await startAttacked({ LOG_LEVEL: isShort ? "info" : "warn" });
const targets = listTargets();
const known = { project: [service.slug], environment: ["sandbox"], playerId: ["ann", "bob"], externalPlayerId: ["ann"] };
const shortCaseAt = casesOf({ seed: SEED, targets, known, attackEvery: 4 });
const caseAt = isShort ? shortCaseAt : casesOf({ seed: SEED, targets, known, attackEvery: 25 });
afterAll(async () => {
  closeConnections();
  await service.stop();
});

test("every route is attacked, and every attack is made", () => {
  for (const kind of ["v1", "rpc", "page"]) expect(targets.filter((target) => target.kind === kind).length).toBeGreaterThan(15);
  const cases = Array.from({ length: SHORT_BODIES }, (_, number) => shortCaseAt(number));
  expect(new Set(cases.map(({ target }) => target.name)).size).toBe(targets.length);
  expect(ATTACKS.filter(({ name }) => !cases.some((one) => one.name.includes(`· ${name}`)))).toEqual([]);
});

test("no body blocks or breaks the process, gets an oversized response, or delays other requests", { timeout: PATIENCE_MS }, async () => {
  const warm = await attack({ service, caseAt, first: FIRST, continues: (sent) => sent < WARM_UP });
  const before = await service.memory();
  const quiet = { asked: 0, slowestMs: 0 };
  while (!isShort && quiet.asked < QUIET_REQUESTS) expect(await ordinaryRequest(service, quiet)).toBeNull();
  const until = performance.now() + MINUTES * 60_000;
  const continues = (sent: number) => WARM_UP + sent < BODIES && (MINUTES === 0 || performance.now() < until);
  const report = await attack({ service, caseAt, first: FIRST + WARM_UP, continues, afterRound: isShort ? undefined : tellHowFar() });
  const after = await service.memory();
  print(report, before, after, quiet);
  expect(
    [...warm.findings, ...report.findings].map(({ number, words }) => `${words} [--seed ${SEED} --first ${number} --bodies 1]`),
  ).toEqual([]);
  for (const part of ["heap", "external", "rss"] as const)
    expect(after[part] - before[part], `${part} after all`).toBeLessThan(MAY_KEEP[part]);
  if (!isShort) expect(report.ordinary.slowestMs, "ms of the slowest ordinary request").toBeLessThan(mayTake(quiet.slowestMs));
});

test.each(wireAttacks(service.key, isShort ? 20 : 100))("on the wire: $name", async (one) => {
  // A single stall may have another cause, such as garbage collection: a body that blocks the process does so every time.
  for (let times = 1; ; times++) {
    const { stalls } = await service.figures();
    expect(await tryOnWire(service.port, one)).toBeNull();
    expect(await ordinaryRequest(service)).toBeNull();
    if ((await service.figures()).stalls === stalls) break;
    expect(times, "times in a row that it held the process").toBeLessThan(3);
  }
});

test("reads and writes by curl --http2 are answered with HTTP/1.1", async () => {
  const body = JSON.stringify({ events: [{ playerId: "ann", event: "order_placed", occurredAt: new Date().toISOString() }] });
  for (const answer of [
    await askByCurl(service.port, "/v1/points?PlayerId=ann", service.key),
    await askByCurl(service.port, "/v1/events", service.key, body),
  ])
    expect(["200 1.1", null]).toContain(answer);
});

test("thousands of idle connections lock no client out, neither during nor after them", async () => {
  const idle = { name: "idle", connections: 2_500, pieces: ["GET / HTTP/1.1\r\nHost: x\r\n"], becomes: "open" as const };
  const [wrong] = await Promise.all([tryOnWire(service.port, idle), ordinaryRequest(service).then((found) => expect(found).toBeNull())]);
  expect(wrong).toBeNull();
  expect(await ordinaryRequest(service)).toBeNull();
});

test("bodies that never arrive delay no request of their organization, and are answered with a timeout", async () => {
  const isHeld = tryOnWire(service.port, bodiesThatNeverArrive(service.key));
  const own = { ...service, ordinaryKey: service.key };
  const figures = { asked: 0, slowestMs: 0 };
  let isOver = false;
  void isHeld.then(() => (isOver = true));
  // The bodies time out after ten seconds: without a pause, this loop would use both cores for all of that time.
  for (; !isOver; await delay(100)) expect(await ordinaryRequest(own, figures)).toBeNull();
  expect(await isHeld).toBeNull();
});

test("the log contains no part of a key, a cookie or a body, and no fault of the service", () => {
  const printed = service.printed();
  const token = service.cookie.split("=")[1]!;
  for (const secret of [service.key, service.ordinaryKey, token, "order_placed", "<!--", "/(a+)+$/"])
    expect(printed.includes(secret), secret.slice(0, 12)).toBe(false);
  expect(service.faults()).toEqual([]);
});

/** Prints a line for every ten thousand bodies, so that an aborted run leaves its figures. */
function tellHowFar(): (report: Report) => void {
  let next = 10_000;
  return ({ sent, bytesSent, longestStallMs, ordinary, findings }) => {
    if (sent < next) return;
    next += 10_000;
    const figures = [`${sent} bodies`, `${Math.round(bytesSent / MIB)} MiB`, `longest stall ${Math.round(longestStallMs)} ms`];
    console.log([...figures, `slowest ordinary request ${Math.round(ordinary.slowestMs)} ms`, `${findings.length} findings`].join(", "));
  };
}

function print(report: Report, before: object, after: object, quiet: Report["ordinary"]): void {
  const byTarget = new Map<string, string[]>();
  for (const [at, count] of report.answers) {
    const split = at.lastIndexOf(" ");
    byTarget.set(at.slice(0, split), [...(byTarget.get(at.slice(0, split)) ?? []), `${at.slice(split + 1)}×${count}`]);
  }
  const { sent, bytesSent, longestStallMs, passingStalls, largestRatio, ordinary } = report;
  const lines = [
    `seed ${SEED}: ${sent} bodies, ${Math.round(bytesSent / MIB)} MiB`,
    `longest stall ${Math.round(longestStallMs)} ms; ${passingStalls} rounds with stalls that no body made alone`,
    `largest answer ${largestRatio.ratio.toFixed(1)} times its request: ${largestRatio.name}`,
    `ordinary requests beside: ${ordinary.asked}, the slowest ${Math.round(ordinary.slowestMs)} ms${isShort ? "" : `; of the quiet ones before, ${Math.round(quiet.slowestMs)} ms`}`,
    `memory before ${mebibytes(before)}, after ${mebibytes(after)}`,
    ...(isShort ? [] : Array.from(byTarget, ([name, counts]) => `  ${name}: ${counts.toSorted().join(" ")}`)),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

const mebibytes = (memory: object): string =>
  Object.entries(memory)
    .map(([name, bytes]) => `${name} ${Math.round(Number(bytes) / MIB)} MiB`)
    .join(", ");
