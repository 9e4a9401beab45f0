import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { createOperations } from "./endpoints.ts";

const database = await testDatabase();

test("a warning is logged once, and shown by /ready and /metrics as long as the process lives", async () => {
  const operations = createOperations();
  const server = createServer(operations.listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect((await read("/ready")).status).toBe(503);
  operations.begin(database);
  expect(await read("/ready")).toEqual({ status: 200, text: "ready\n" });
  const told = ["first", "first", "second"].map((message) => operations.warn(message));
  expect(told).toEqual([true, false, true]);
  expect(await read("/ready"), "requests are served all the same").toEqual({
    status: 200,
    text: "ready\nwarning: first\nwarning: second\n",
  });
  const { text } = await read("/metrics");
  expect(text).toContain("\nengagement_warnings 2\n");
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  const counted = /^engagement_event_loop_stalls_total (\S+)$/m;
  expect(counted.exec((await read("/metrics")).text)?.[1], "what is read twice is not counted twice").toBe(counted.exec(text)?.[1]);
});
