import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { transact } from "../../db/client.ts";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { startReceiver } from "../../server/delivery/testing.ts";
import { until } from "../../db/testing/work.ts";
import { commandLineHere } from "../command-line.ts";
import { program, type Program, steadyPort } from "../programs.ts";
import { enqueueDeliveries } from "../../server/engine/store/outbox.ts";

const database = await testDatabase();
const url = await testDatabaseUrl();
const receiver = await startReceiver();
const running: Program[] = [];
afterAll(async () => {
  for (const one of running) await one.stop();
  await receiver.close();
});

const LAST_YEAR = "the secret of last year";
const THIS_YEAR = "the secret of this year";

/** Lets a worker with these settings send one delivery, signed with that secret; returns its log. */
async function toldByWorker(environmentId: number, secret: string, settings: Record<string, string>): Promise<string> {
  const environment = { DATABASE_URL: url, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true", LOG_LEVEL: "info", WORKER_THREADS: "0", ...settings };
  const worker = program({ name: "worker", file: "server/process/worker.ts", port: await steadyPort(), environment });
  running.push(worker);
  worker.start();
  await worker.ready();
  const count = receiver.received.length;
  const event = "mission.completed" as const;
  const notification = { environmentId, event, sourceId: randomUUID(), data: {}, occurredAt: Date.now() };
  await transact(database, (tx) => enqueueDeliveries(tx, [notification]));
  await until(() => receiver.received.length > count);
  const { body, headers } = receiver.received.at(-1)!;
  new Webhook(secret).verify(body, headers as Record<string, string>);
  await worker.stop();
  expect(worker.faults()).toEqual([]);
  return worker.printed();
}

test("AUTH_SECRET is rotated by a start that also has the previous one, and every delivery is signed", async () => {
  const { slug, sandbox } = await testProject(database);
  const where = ["--project", slug, "--environment", "sandbox"];
  const settings = { DATABASE_URL: url, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true" };
  const words = ["webhook", "create", ...where, "--url", receiver.url, "--events", "mission.completed"];
  const secret = await commandLineHere(words, { ...settings, AUTH_SECRET: LAST_YEAR });

  const printed = await toldByWorker(sandbox.id, secret, { AUTH_SECRET: THIS_YEAR, AUTH_SECRET_PREVIOUS: LAST_YEAR });
  expect(printed).toContain("encrypted under the current AUTH_SECRET");
  await toldByWorker(sandbox.id, secret, { AUTH_SECRET: THIS_YEAR });
  expect(running.map((one) => one.printed()).join("")).not.toMatch(/whsec_|secret of (last|this) year/);
});

test("a worker and the command line that have no AUTH_SECRET say so, and do nothing", async () => {
  const { slug } = await testProject(database);
  const worker = program({
    name: "worker",
    file: "server/process/worker.ts",
    port: await steadyPort(),
    environment: { DATABASE_URL: url },
  });
  worker.start();
  await expect(worker.ready()).rejects.toThrow(/ended by itself \(1\): AUTH_SECRET must be set where DATABASE_URL is/);
  const words = [
    "webhook",
    "create",
    "--project",
    slug,
    "--environment",
    "sandbox",
    "--url",
    "https://8.8.8.8/",
    "--events",
    "mission.completed",
  ];
  await expect(commandLineHere(words, { DATABASE_URL: url })).rejects.toThrow(/^AUTH_SECRET must be set where DATABASE_URL is/);
});
