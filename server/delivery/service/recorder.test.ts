import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Database } from "#db/client.ts";
import { startRecorder } from "./recorder.ts";

/** A recorder over a database that notes the size of each set. */
function recording() {
  const sets: number[] = [];
  const unsafe = (_text: string, [rows]: [string]) => Promise.resolve((sets.push((JSON.parse(rows) as unknown[]).length), []));
  const recorder = startRecorder({ sql: { unsafe } } as unknown as Database, { warn() {} });
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

const sum = (sets: readonly number[]) => sets.reduce((total, size) => total + size, 0);

test("single results are recorded immediately; under load a set collects fifty milliseconds", async () => {
  const { recorder, add, sets } = recording();
  for (let at = 1; at <= 3; at++) {
    add(1);
    await expect.poll(() => sets).toEqual(Array(at).fill(1));
  }
  // The first set under load, and then one for many of these steps.
  for (let at = 0; at < 40; at++) {
    add(15);
    await delay(5);
  }
  await recorder.finish();
  expect(sum(sets)).toBe(3 + 600);
  expect(sets.length - 3).toBeLessThan(10);
});

test("at most five hundred results wait for the end of the fifty milliseconds", async () => {
  const { add, sets } = recording();
  add(20);
  await expect.poll(() => sets).toEqual([20]);
  add(20);
  await delay(0);
  add(480);
  await delay(0);
  expect(sum(sets)).toBe(520);
});

test("a recorder that stops records its remaining results immediately", async () => {
  const { recorder, add, sets } = recording();
  add(20);
  await expect.poll(() => sets).toEqual([20]);
  add(20);
  const first = Promise.race([recorder.finish().then(() => "finished"), delay(40, "waited")]);
  expect(await first).toBe("finished");
  expect(sets).toEqual([20, 20]);
});
