import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairScheduler, MAX_CONCURRENCY, SLOW_MS } from "./fair-scheduler.ts";

interface Item {
  endpointId: string;
  startBefore: number;
}

const QUICK = { timedOut: false, durationMs: 20 };
const SLOW = { timedOut: false, durationMs: SLOW_MS + 1 };
const HANGING = { timedOut: true, durationMs: 15_000 };

const item = (endpointId: string, startBefore = Number.POSITIVE_INFINITY): Item => ({ endpointId, startBefore });

/** Fills the lanes from backlogs, as claims would, and starts whatever may start. */
function run(scheduler: FairScheduler<Item>, backlogs: Map<string, number>, now = 0): Item[] {
  scheduler.expect([...backlogs].flatMap(([endpointId, count]) => (count > 0 ? [endpointId] : [])));
  const quotas = scheduler.quotas();
  const claimed = quotas.flatMap(({ endpointId, quota }) => {
    const count = Math.min(quota, backlogs.get(endpointId) ?? 0);
    backlogs.set(endpointId, (backlogs.get(endpointId) ?? 0) - count);
    return Array.from({ length: count }, () => item(endpointId));
  });
  scheduler.add(quotas, claimed, now);
  return start(scheduler, now);
}

function start(scheduler: FairScheduler<Item>, now = 0): Item[] {
  const started: Item[] = [];
  for (let next = scheduler.next(now); next !== undefined; next = scheduler.next(now)) started.push(next);
  return started;
}

const countOf = (items: readonly Item[], endpointId: string) => items.filter((one) => one.endpointId === endpointId).length;

describe("turns", () => {
  test("an endpoint with more than half a batch claimed claims nothing until it has fewer", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 100, waiting: 1000 });
    const backlogs = new Map([["a", 1000]]);
    const underWay = run(scheduler, backlogs);
    expect(scheduler.supplied()).toEqual(["a"]);
    expect(scheduler.quotas()).toEqual([]);
    for (let next = underWay.shift(); next !== undefined && scheduler.supplied().length > 0; next = underWay.shift()) {
      scheduler.done(next, QUICK);
      underWay.push(...start(scheduler));
    }
    expect(scheduler.supplied()).toEqual([]);
    expect(scheduler.quotas()).toHaveLength(1);
  });

  test("give every endpoint its attempts, whatever the others' backlogs", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 100, waiting: 1000 });
    const started = run(scheduler, new Map([["long", 100_000], ["short", 1]])); // oxfmt-ignore
    expect(countOf(started, "short")).toBe(1);
  });

  test("never exceed an endpoint's slots, and add slots as it answers", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 100, waiting: 1000 });
    const backlogs = new Map([["a", 1000]]);
    let underWay = run(scheduler, backlogs);
    expect(underWay.length).toBeLessThan(MAX_CONCURRENCY);
    for (let round = 0; round < 20; round++) {
      for (const done of underWay.splice(0, 2)) scheduler.done(done, QUICK);
      underWay = [...underWay, ...run(scheduler, backlogs)];
      expect(underWay.length).toBeLessThanOrEqual(MAX_CONCURRENCY);
    }
    expect(underWay.length).toBe(MAX_CONCURRENCY);
  });

  test("leave an endpoint with a hanging receiver one slot until it answers", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 100, waiting: 1000 });
    const backlogs = new Map([["a", 1000]]);
    for (const hanging of run(scheduler, backlogs)) scheduler.done(hanging, HANGING);
    const [only, ...others] = run(scheduler, backlogs);
    expect(others).toEqual([]);
    scheduler.done(only!, QUICK);
    expect(run(scheduler, backlogs).length).toBe(2);
  });

  test.each([
    ["hanging receivers", HANGING],
    ["receivers that answer slowly", SLOW],
  ])("never let %s fill more than half of all slots", (_, result) => {
    const scheduler = new FairScheduler<Item>({ inFlight: 20, waiting: 1000 });
    const backlogs = new Map(Array.from({ length: 50 }, (_, index) => [`slow ${index}`, 100]));
    let underWay: Item[] = [];
    for (let round = 0; round < 20; round++) {
      for (const ended of underWay.splice(0)) scheduler.done(ended, result);
      underWay = run(scheduler, backlogs);
    }
    expect(underWay.length).toBe(10);
    backlogs.set("quick", 1);
    expect(countOf(run(scheduler, backlogs), "quick")).toBe(1);
  });

  test("count an endpoint as quick again with its first quick answer", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 4, waiting: 100 });
    const backlogs = new Map([["a", 100]]);
    for (const ended of run(scheduler, backlogs)) scheduler.done(ended, SLOW);
    const [first, ...others] = run(scheduler, backlogs);
    expect(others).toHaveLength(1);
    scheduler.done(first!, QUICK);
    expect(run(scheduler, backlogs)).toHaveLength(3);
  });

  test("drop deliveries that waited longer than their lease", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 10, waiting: 100 });
    scheduler.add([{ endpointId: "a", quota: 3 }], [item("a", 5), item("a", 50), item("a", 5)], 0);
    expect(start(scheduler, 10)).toEqual([item("a", 50)]);
  });

  test("claim no further ahead than the budget, but always for free slots", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 100, waiting: 10 });
    scheduler.expect(["a", "b", "c"]);
    expect(scheduler.quotas()).toEqual([
      { endpointId: "a", quota: 8 },
      { endpointId: "b", quota: 2 },
      { endpointId: "c", quota: 2 },
    ]);
  });

  test("give back everything that waits", () => {
    const scheduler = new FairScheduler<Item>({ inFlight: 1, waiting: 100 });
    run(scheduler, new Map([["a", 5], ["b", 5]])); // oxfmt-ignore
    expect(scheduler.empty()).toHaveLength(9);
    expect(scheduler.next(0)).toBeUndefined();
  });

  test("start everything once, within all limits, for any order of answers", () => {
    const steps = fc.array(fc.record({ pick: fc.nat(), result: fc.constantFrom(QUICK, SLOW, HANGING) }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(steps, (answers) => {
        const scheduler = new FairScheduler<Item>({ inFlight: 12, waiting: 30 });
        const backlogs = new Map(["a", "b", "c", "d"].map((endpointId) => [endpointId, 20]));
        let started = 0;
        let underWay: Item[] = [];
        const step = () => {
          const more = run(scheduler, backlogs);
          started += more.length;
          underWay = [...underWay, ...more];
          expect(underWay.length).toBeLessThanOrEqual(12);
          for (const endpointId of backlogs.keys()) expect(countOf(underWay, endpointId)).toBeLessThanOrEqual(MAX_CONCURRENCY);
        };
        step();
        for (const { pick, result } of answers) {
          const [done] = underWay.splice(pick % Math.max(underWay.length, 1), 1);
          if (done !== undefined) scheduler.done(done, result);
          step();
        }
        for (let left = underWay.shift(); left !== undefined; left = underWay.shift()) {
          scheduler.done(left, QUICK);
          step();
        }
        expect(started).toBe(80);
      }),
      { numRuns: 50 },
    );
  });
});
