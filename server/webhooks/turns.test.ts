import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_PLACES } from "./pace.ts";
import { Turns } from "./turns.ts";

interface Item {
  endpointId: string;
  startBefore: number;
}

const item = (endpointId: string, startBefore = Number.POSITIVE_INFINITY): Item => ({ endpointId, startBefore });

/** Fills the lanes from backlogs, as claims would, and starts whatever may start. */
function run(turns: Turns<Item>, backlogs: Map<string, number>, now = 0): Item[] {
  turns.expect([...backlogs].flatMap(([endpointId, count]) => (count > 0 ? [endpointId] : [])));
  const rooms = turns.rooms();
  const claimed = rooms.flatMap(({ endpointId, room }) => {
    const count = Math.min(room, backlogs.get(endpointId) ?? 0);
    backlogs.set(endpointId, (backlogs.get(endpointId) ?? 0) - count);
    return Array.from({ length: count }, () => item(endpointId));
  });
  turns.add(rooms, claimed, now);
  return start(turns, now);
}

function start(turns: Turns<Item>, now = 0): Item[] {
  const started: Item[] = [];
  for (let next = turns.next(now); next !== undefined; next = turns.next(now)) started.push(next);
  return started;
}

const countOf = (items: readonly Item[], endpointId: string) => items.filter((one) => one.endpointId === endpointId).length;

describe("turns", () => {
  test("give every endpoint its attempts, whatever the others' backlogs", () => {
    const turns = new Turns<Item>({ inFlight: 100, waiting: 1000 });
    const started = run(turns, new Map([["long", 100_000], ["short", 1]])); // prettier-ignore
    expect(countOf(started, "short")).toBe(1);
  });

  test("never let one endpoint have more than its places, and open them as it answers", () => {
    const turns = new Turns<Item>({ inFlight: 100, waiting: 1000 });
    const backlogs = new Map([["a", 1000]]);
    let underWay = run(turns, backlogs);
    expect(underWay.length).toBeLessThan(MOST_PLACES);
    for (let round = 0; round < 20; round++) {
      for (const done of underWay.splice(0, 2)) turns.done(done, false);
      underWay = [...underWay, ...run(turns, backlogs)];
      expect(underWay.length).toBeLessThanOrEqual(MOST_PLACES);
    }
    expect(underWay.length).toBe(MOST_PLACES);
  });

  test("leave an endpoint whose receiver hangs a single place until it answers", () => {
    const turns = new Turns<Item>({ inFlight: 100, waiting: 1000 });
    const backlogs = new Map([["a", 1000]]);
    for (const hanging of run(turns, backlogs)) turns.done(hanging, true);
    const [only, ...others] = run(turns, backlogs);
    expect(others).toEqual([]);
    turns.done(only!, false);
    expect(run(turns, backlogs).length).toBe(2);
  });

  test("never let hanging receivers fill more than half of all places", () => {
    const turns = new Turns<Item>({ inFlight: 20, waiting: 1000 });
    const dead = Array.from({ length: 50 }, (_, index) => `dead ${index}`);
    const backlogs = new Map(dead.map((endpointId) => [endpointId, 100]));
    for (let round = 0; round < 10; round++) for (const hanging of run(turns, backlogs)) turns.done(hanging, true);
    expect(run(turns, backlogs).length).toBe(10);
    backlogs.set("alive", 1);
    expect(countOf(run(turns, backlogs), "alive")).toBe(1);
  });

  test("drop what has waited too long for its lease", () => {
    const turns = new Turns<Item>({ inFlight: 10, waiting: 100 });
    turns.add([{ endpointId: "a", room: 3 }], [item("a", 5), item("a", 50), item("a", 5)], 0);
    expect(start(turns, 10)).toEqual([item("a", 50)]);
  });

  test("claim no more ahead than there is room for, but always for free places", () => {
    const turns = new Turns<Item>({ inFlight: 100, waiting: 10 });
    turns.expect(["a", "b", "c"]);
    expect(turns.rooms()).toEqual([
      { endpointId: "a", room: 8 },
      { endpointId: "b", room: 2 },
      { endpointId: "c", room: 2 },
    ]);
  });

  test("give back everything that waits", () => {
    const turns = new Turns<Item>({ inFlight: 1, waiting: 100 });
    run(turns, new Map([["a", 5], ["b", 5]])); // prettier-ignore
    expect(turns.empty()).toHaveLength(9);
    expect(turns.next(0)).toBeUndefined();
  });

  test("start everything once, within all limits, in whatever order answers come", () => {
    const steps = fc.array(fc.record({ pick: fc.nat(), timedOut: fc.boolean() }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(steps, (answers) => {
        const turns = new Turns<Item>({ inFlight: 12, waiting: 30 });
        const backlogs = new Map(["a", "b", "c", "d"].map((endpointId) => [endpointId, 20]));
        let started = 0;
        let underWay: Item[] = [];
        const step = () => {
          const more = run(turns, backlogs);
          started += more.length;
          underWay = [...underWay, ...more];
          expect(underWay.length).toBeLessThanOrEqual(12);
          for (const endpointId of backlogs.keys()) expect(countOf(underWay, endpointId)).toBeLessThanOrEqual(MOST_PLACES);
        };
        step();
        for (const { pick, timedOut } of answers) {
          const [done] = underWay.splice(pick % Math.max(underWay.length, 1), 1);
          if (done !== undefined) turns.done(done, timedOut);
          step();
        }
        for (let left = underWay.shift(); left !== undefined; left = underWay.shift()) {
          turns.done(left, false);
          step();
        }
        expect(started).toBe(80);
      }),
      { numRuns: 50 },
    );
  });
});
