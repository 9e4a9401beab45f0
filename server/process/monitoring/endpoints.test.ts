import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import packageJson from "../../../package.json" with { type: "json" };
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#db/client.ts";
import { addressOf, anotherDatabase, testDatabase } from "#db/testing.ts";
import { createOperations } from "./endpoints.ts";

const { version } = packageJson;
const database = await testDatabase();

async function opened() {
  const operations = createOperations();
  const server = createServer(operations.listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  return { operations, read };
}

test("a warning is logged once, and shown by /ready and /metrics as long as the process lives", async () => {
  const { operations, read } = await opened();
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
  operations.end();
  expect((await read("/ready")).text).toContain("\nreason: it is stopping\n");
  expect(counted.exec((await read("/metrics")).text)?.[1], "reading the metrics twice counts nothing twice").toBe(counted.exec(text)?.[1]);
});

test("a clock that differs from the database's is a warning until it is set", async () => {
  const { operations, read } = await opened();
  operations.begin(database);
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 86_400_000);
  onTestFinished(() => clock.mockRestore());
  expect(await read("/ready")).toMatchObject({
    status: 200,
    text: expect.stringMatching(/\nwarning: .* 86\d\d\d s behind the database's/),
  });
  expect((await read("/metrics")).text).toContain("\nengagement_warnings 1\n");
  clock.mockRestore();
  expect(await read("/ready")).toEqual({ status: 200, text: `ready\nversion: ${version}\n` });
});

test("a database that takes no writes is not ready; once it does, nothing but /ready has to use the old session", async () => {
  const { operations, read } = await opened();
  const primary = await anotherDatabase();
  const name = primary.sql(primary.sql.options.database);
  await primary.sql`alter database ${name} set default_transaction_read_only = on`;
  const standby = openDatabase(addressOf(primary), { connections: 1 });
  operations.begin(standby);
  expect(await read("/ready")).toMatchObject({ status: 503, text: expect.stringContaining("\nreason: the database takes no writes") });
  // Sessions keep the setting that they began with.
  await primary.sql`alter database ${name} reset default_transaction_read_only`;
  await expect.poll(async () => (await read("/ready")).status).toBe(200);
  await standby.close();
});
