import { expect, test } from "vitest";
import { Aborted } from "./body.ts";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

const REFUSED = expect.objectContaining({ code: "rate_limit.concurrency_exceeded" });

/** A limiter with these limits, and the admitted requests in order. */
function limiterOf(inFlight: number, waiting: number) {
  const limiter = new ConcurrencyLimiter({ inFlight, waiting });
  const turns: string[] = [];
  const goAway = new Map<string, () => void>();
  const come = async (name: string, isLive = false) => {
    await limiter.acquire("main", { isLive, whenAbandoned: (act) => goAway.set(name, act) });
    turns.push(name);
  };
  return { limiter, turns, come, goAway: (name: string) => goAway.get(name)!() };
}

const settled = () => new Promise(setImmediate);

test("up to a limit requests run, up to another they wait, and the next is refused", async () => {
  const { limiter, turns, come } = limiterOf(2, 1);
  expect([limiter.acquire("main"), limiter.acquire("main")]).toEqual([null, null]);
  void come("third");
  await expect(come("fourth")).rejects.toEqual(REFUSED);
  await settled();
  expect(turns).toEqual([]);
});

test("each organization has its own slots", () => {
  const { limiter } = limiterOf(1, 0);
  expect(limiter.acquire("one")).toBeNull();
  expect(limiter.acquire("other")).toBeNull();
  expect(() => limiter.acquire("one")).toThrow(REFUSED);
});

test("a released slot goes to the first in the queue only", async () => {
  const { limiter, turns, come } = limiterOf(1, 3);
  for (const name of ["a", "b", "c", "d"]) void come(name);
  await settled();
  for (const expected of [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]) {
    expect(turns).toEqual(expected);
    limiter.release("main");
    await settled();
  }
  expect(limiter.acquire("main")).toBeNull();
});

test("waiting Live requests go before the Sandboxes', each in order of arrival", async () => {
  const { limiter, turns, come } = limiterOf(1, 4);
  void come("a");
  for (const name of ["sandbox 1", "live 1", "sandbox 2", "live 2"]) void come(name, name.startsWith("live"));
  for (let left = 0; left < 4; left++) {
    limiter.release("main");
    await settled();
  }
  expect(turns).toEqual(["a", "live 1", "live 2", "sandbox 1", "sandbox 2"]);
});

test("with a full queue, a Live request replaces the youngest Sandbox request; if all are Live it is refused", async () => {
  const { limiter, turns, come } = limiterOf(1, 2);
  void come("a");
  const [first, second] = ["first", "second"].map((name) => come(name).catch((error: unknown) => error));
  void come("live 1", true);
  expect(await second).toEqual(REFUSED);
  void come("live 2", true);
  expect(await first).toEqual(REFUSED);
  await expect(come("live 3", true)).rejects.toEqual(REFUSED);
  await expect(come("third")).rejects.toEqual(REFUSED);
  for (let left = 0; left < 2; left++) {
    limiter.release("main");
    await settled();
  }
  expect(turns).toEqual(["a", "live 1", "live 2"]);
});

test("no request overtakes a waiting one", async () => {
  const { limiter, turns, come } = limiterOf(1, 2);
  for (const name of ["a", "b"]) void come(name);
  limiter.release("main");
  void come("c");
  await settled();
  expect(turns).toEqual(["a", "b"]);
});

test("a client that disconnects leaves the queue immediately, and takes no slot later", async () => {
  const { limiter, turns, come, goAway } = limiterOf(1, 2);
  const [, second] = ["a", "b", "c"].map((name) => come(name).catch((error: unknown) => error));
  await expect(come("d")).rejects.toEqual(REFUSED);
  goAway("b");
  expect(await second).toBeInstanceOf(Aborted);
  void come("e");
  for (let left = 0; left < 3; left++) {
    limiter.release("main");
    await settled();
  }
  expect(turns).toEqual(["a", "c", "e"]);
  expect(limiter.acquire("main")).toBeNull();
});

test("a disconnected client does not wait; one that disconnects after admission keeps its slot", async () => {
  const { limiter, turns, come, goAway } = limiterOf(1, 1);
  void come("a");
  await expect(limiter.acquire("main", { whenAbandoned: (act) => act() })).rejects.toBeInstanceOf(Aborted);
  void come("b");
  limiter.release("main");
  goAway("b");
  await settled();
  expect(turns).toEqual(["a", "b"]);
  void come("c");
  await settled();
  expect(turns).toEqual(["a", "b"]);
});

test("a raised limit admits waiting requests; a lowered one admits none until enough slots are released", async () => {
  const { limiter, turns, come } = limiterOf(1, 3);
  for (const name of ["a", "b", "c", "d"]) void come(name);
  limiter.resize({ inFlight: 3, waiting: 3 });
  await settled();
  expect(turns).toEqual(["a", "b", "c"]);
  limiter.resize({ inFlight: 1, waiting: 0 });
  await expect(come("e")).rejects.toEqual(REFUSED);
  for (const expected of [3, 3, 4]) {
    limiter.release("main");
    await settled();
    expect(turns.length).toBe(expected);
  }
});
