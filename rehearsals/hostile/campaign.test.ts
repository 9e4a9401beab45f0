import { traverseContractProcedures } from "@orpc/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TABLE } from "../../server/api/testing/access-table.ts";
import { MAX_ANSWER_BYTES } from "../../server/api/answer-budget.ts";
import type { DashboardMeta } from "../../server/api/access.ts";
import { dashboardRouter } from "../../server/api/rpc/router.ts";
import { isAtLeast, type Role, ROLES } from "../../server/model/kernel/environment.ts";
import { CALLS, type CampaignCaller, type CampaignFigures, measure, watchOthers } from "./campaign.ts";
import { fillWorld, type Scale } from "./campaign-world.ts";
import { mayTake } from "./run.ts";
import { closeConnections } from "./send.ts";
import { type Attacked, startAttacked } from "./service.ts";

/**
 * The costliest calls of each role. `npm test` checks the sizes of responses, in a small world; `npm run hostile` makes the calls of every
 * role in the largest one, prints their figures, and judges their effect on others.
 */
const isLong = process.env["HOSTILE_MINUTES"] !== undefined;
const SCALE: Scale = isLong
  ? { missions: 9_900, description: 1_300, players: 6_000, events: 30, saves: 500 }
  : { missions: 60, description: 1_300, players: 200, events: 3, saves: 24 };
const PATIENCE_MS = isLong ? 3_600_000 : 600_000;

const MIB = 1024 * 1024;
/**
 * Bounds: the time for which the process is blocked, the largest response, and the memory above idle. Files are streamed and have no size
 * bound.
 */
const MAX_STALL_MS = 200;
const MAX_RSS = 1.5;
/** The quiet time whose requests are the measure of those during the calls. */
const QUIET_MS = 10_000;

let service: Attacked;
let callers: CampaignCaller[];
/** How long another's request may wait, in milliseconds; only the long run measures it. */
let mayWait = Infinity;
beforeAll(async () => {
  // Only the long run judges the effect on others, and so needs a worker in a thread of its own.
  service = await startAttacked(isLong ? {} : { PAGES: "off", WORKER_THREADS: "0" });
  await fillWorld(service.database, service.project, SCALE);
  callers = [];
  for (const role of ROLES) callers.push({ name: role, headers: { cookie: await service.cookieOf(role), "x-csrf-token": "orpc" } });
  const { rpc } = await service.signedIn("Admin");
  const made = await rpc.tokens.create({ project: service.slug, name: "campaign", role: "Editor", environment: null, days: 1 });
  if (!("token" in made)) throw new Error(JSON.stringify(made));
  callers.push({ name: "token", headers: { authorization: `Bearer ${made.token}` } });
}, PATIENCE_MS);
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const lowestOf = (path: keyof typeof TABLE): Role => TABLE[path].role ?? "Viewer";

test("the campaign calls every procedure that is not cheap", () => {
  const costly: string[] = [];
  traverseContractProcedures({ router: dashboardRouter, path: [] }, ({ contract, path }) => {
    if ((contract["~orpc"].meta as DashboardMeta).cost !== "cheap") costly.push(path.join("."));
  });
  expect(CALLS.flatMap(({ path }) => (path === null ? [] : [path]))).toEqual(expect.arrayContaining(costly));
});

test("the costliest calls of each role keep within the response size and delay no other caller", { timeout: PATIENCE_MS }, async () => {
  // Loads code and fills caches. Response sizes do not depend on them, so the short run leaves this out.
  for (const call of isLong ? CALLS : []) {
    const first = await measure(service, callers[0]!, call, { scale: SCALE, atOnce: 1, watches: true });
    tell(first, first.rss);
  }
  const rest = isLong ? (await service.memory()).rss : 0;
  if (isLong) mayWait = mayTake((await watchOthers(service, AbortSignal.timeout(QUIET_MS))).waited);
  const figures: CampaignFigures[] = [];
  for (const caller of callers) {
    for (const call of CALLS) {
      const lowest = call.path === null ? "Viewer" : lowestOf(call.path);
      const isOwn = caller.name === lowest;
      const mayCall =
        caller.name === "token" ? isAtLeast("Editor", lowest) && call.path !== "status.read" : isAtLeast(caller.name as Role, lowest);
      if (!mayCall || (!isLong && !isOwn)) continue;
      figures.push(await judged(caller, call, 1));
      if (isLong && isOwn && call.path !== null) figures.push(await judged(caller, call, 8));
    }
  }
  for (const { call, answers, bytes } of figures) {
    expect(`${call}: ${answers}`).not.toMatch(/: (0|5\d\d) |, (0|5\d\d) |ANSWER_TOO_LARGE/);
    if (CALLS.some(({ name, path }) => path !== null && call.startsWith(name))) expect(bytes, call).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
  }
  if (!isLong) return;
  const after = (await service.memory()).rss;
  process.stdout.write(`rss at rest ${mib(rest)} MiB, after all ${mib(after)} MiB\n`);
  const delaying = figures.filter(delays).map(({ caller, call, stall, waited }) => `${caller} ${call}: ${delayText({ stall, waited })}`);
  expect(delaying, `another may wait ${Math.round(mayWait)} ms`).toEqual([]);
  expect(after / rest).toBeLessThan(MAX_RSS);
});

type Delay = Pick<CampaignFigures, "stall" | "waited">;
const delays = ({ stall, waited }: Delay): boolean => stall > MAX_STALL_MS || waited > mayWait;
const delayText = ({ stall, waited }: Delay): string => `stall ${Math.round(stall)} ms, another waited ${Math.round(waited)} ms`;

/** A single delay may be the machine's: a call that delays others does so every time. */
async function judged(caller: CampaignCaller, call: (typeof CALLS)[number], atOnce: number): Promise<CampaignFigures> {
  let best = await measure(service, caller, call, { scale: SCALE, atOnce, watches: isLong });
  for (let again = 0; isLong && again < 2 && delays(best); again++) {
    const next = await measure(service, caller, call, { scale: SCALE, atOnce, watches: isLong });
    if (next.stall + next.waited < best.stall + best.waited) best = next;
  }
  return best;
}

const mib = (bytes: number): string => (bytes / MIB).toFixed(1);

/** Lines are printed as calls are made, so that an aborted run leaves its figures. */
function tell({ caller, call, answers, ms, waited, stall, bytes, rss }: CampaignFigures, rest: number): void {
  const figures = [delayText({ stall, waited }).padEnd(42), `took ${Math.round(ms)} ms`.padEnd(16), `${mib(bytes)} MiB`.padEnd(10)];
  process.stdout.write(`${[caller.padEnd(8), call.padEnd(40), ...figures, `rss ${(rss / rest).toFixed(2)}`, answers].join(" ")}\n`);
}
