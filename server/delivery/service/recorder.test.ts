import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "#db/client.ts";
import { startRecorder } from "./recorder.ts";

// Test files share their worker, and so its clock.
beforeAll(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A recorder over a database that notes the size of each set. */
function recording() {
  const sets: number[] = [];
  const sql = (_text: readonly string[], rows: string) => {
    sets.push((JSON.parse(rows) as unknown[]).length);
    return Promise.resolve([]);
  };
  const recorder = startRecorder({ sql } as unknown as Database, { warn() {} });
  const add = (count: number) => {
    for (let at = 0; at < count; at++) recorder.add(delivered);
  };
  return { recorder, add, sets };
}

const delivered = {
  deliveryId: crypto.randomUUID(),
  endpointId: crypto.randomUUID(),
  number: 1,
  startedAt: 0,
  durationMs: 1,
  responseStatus: 204,
  error: null,
  status: "Delivered" as const,
  waitMs: 0,
  answer: null,
  timedOut: false,
};

test("single results are recorded after ten milliseconds; under load a set collects fifty", async () => {
  const { recorder, add, sets } = recording();
  for (let at = 1; at <= 3; at++) {
    add(1);
    await pass(10);
    expect(sets).toEqual(Array(at).fill(1));
  }
  // The first set under load is small; from then on ten of these steps make a set.
  for (let at = 0; at < 40; at++) {
    add(15);
    await pass(5);
  }
  await recorder.finish();
  expect(sets.slice(3)).toEqual([30, 150, 150, 150, 120]);
});

test("at most five hundred results wait for the end of the fifty milliseconds", async () => {
  const { add, sets } = recording();
  add(20);
  await pass(10);
  add(499);
  await pass(0);
  expect(sets).toEqual([20]);
  add(1);
  await pass(0);
  expect(sets).toEqual([20, 500]);
});

test("a recorder that stops records its remaining results immediately", async () => {
  const { recorder, add, sets } = recording();
  add(20);
  await pass(10);
  add(20);
  await recorder.finish();
  expect(sets).toEqual([20, 20]);
});
