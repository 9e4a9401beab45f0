import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askTogether } from "./together.ts";

// On a busy machine more than the longest wait may pass between two turns of the event loop.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A database that answers each number with its double, on command. */
function opened(most = 10, atOnce?: number) {
  const statements: { asked: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const ask = askTogether({
    groupOf: (asked: number) => (asked % 2 === 0 ? "even" : "odd"),
    most,
    atOnce,
    async ask(asked) {
      const end = Promise.withResolvers<void>();
      statements.push({ asked, end });
      await end.promise;
      return asked.map((number) => number * 2);
    },
  });
  const sent = () => statements.map(({ asked }) => asked);
  return { ask, sent, statements };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("requests of a group that arrive together share a statement; those that arrive meanwhile share the next one", async () => {
  const { ask, sent, statements } = opened();
  const first = [ask(2), ask(4), ask(1)];
  await turn();
  expect(sent()).toEqual([[2, 4], [1]]);
  const later = [ask(6), ask(8)];
  await turn();
  expect(sent()).toEqual([[2, 4], [1]]);
  for (const { end } of statements) end.resolve();
  expect(await Promise.all(first)).toEqual([4, 8, 2]);
  await turn();
  expect(sent()).toEqual([[2, 4], [1], [6, 8]]);
  statements[2]!.end.resolve();
  expect(await Promise.all(later)).toEqual([12, 16]);
});

test("with two statements allowed, the second one is sent immediately, and requests for the third are batched", async () => {
  const { ask, sent, statements } = opened(10, 2);
  const all = [];
  for (const number of [2, 4, 6, 8]) {
    all.push(ask(number));
    await turn();
  }
  expect(sent()).toEqual([[2], [4]]);
  statements[1]!.end.resolve();
  await turn();
  await turn();
  expect(sent()).toEqual([[2], [4], [6, 8]]);
  for (const { end } of statements) end.resolve();
  expect(await Promise.all(all)).toEqual([4, 8, 12, 16]);
});

test("a hanging statement does not block others for long", async () => {
  const { ask, sent, statements } = opened();
  const first = ask(2);
  await turn();
  const second = ask(4);
  await turn();
  expect(sent()).toEqual([[2]]);
  vi.advanceTimersByTime(20);
  expect(sent()).toEqual([[2], [4]]);
  statements[1]!.end.resolve();
  expect(await second).toBe(8);
  statements[0]!.end.resolve();
  expect(await first).toBe(4);
});

test("a full batch is sent immediately, also during another one", async () => {
  const { ask, sent, statements } = opened(2);
  const all = [ask(2), ask(4), ask(6), ask(8), ask(10)];
  expect(sent()).toEqual([
    [2, 4],
    [6, 8],
  ]);
  vi.advanceTimersByTime(20);
  expect(sent()).toEqual([[2, 4], [6, 8], [10]]);
  for (const { end } of statements) end.resolve();
  expect(await Promise.all(all)).toEqual([4, 8, 12, 16, 20]);
});

test("a failed statement fails all its requests, and no later ones", async () => {
  const { ask, statements } = opened();
  const shared = Promise.allSettled([ask(2), ask(4)]);
  await turn();
  const after = ask(6);
  statements[0]!.end.reject(new Error("gone"));
  expect((await shared).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await turn();
  statements[1]!.end.resolve();
  expect(await after).toBe(12);
});
