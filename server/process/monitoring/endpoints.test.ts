import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import packageJson from "../../../package.json" with { type: "json" };
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { addressOf, testDatabase } from "#db/testing.ts";
import { createOperations } from "./endpoints.ts";

const { version } = packageJson;
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
  expect(await read("/ready")).toEqual({ status: 503, text: `not ready\nreason: it is starting\nversion: ${version}\n` });
  operations.waitsFor("the pages are being built");
  expect((await read("/ready")).text).toContain("\nreason: the pages are being built\n");
  operations.begin(database);
  expect(await read("/ready")).toEqual({ status: 200, text: `ready\nversion: ${version}\n` });
  const isNew = ["first", "first", "second"].map((message) => operations.warn(message));
  expect(isNew).toEqual([true, false, true]);
  expect(await read("/ready"), "requests are served all the same").toEqual({
    status: 200,
    text: `ready\nversion: ${version}\nwarning: first\nwarning: second\n`,
  });
  const { text } = await read("/metrics");
  expect(text).toContain("\nengagement_warnings 2\n");
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  const counted = /^engagement_event_loop_stalls_total (\S+)$/m;
  const readOnly = openDatabase(`${addressOf(database)}?default_transaction_read_only=on`, { connections: 1 });
  operations.begin(readOnly);
  expect(await read("/ready")).toMatchObject({ status: 503, text: expect.stringContaining("\nreason: the database takes no writes") });
  await readOnly.close();
  operations.end();
  expect((await read("/ready")).text).toContain("\nreason: it is stopping\n");
  expect(counted.exec((await read("/metrics")).text)?.[1], "reading the metrics twice counts nothing twice").toBe(counted.exec(text)?.[1]);
});
