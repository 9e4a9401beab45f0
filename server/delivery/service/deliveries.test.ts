import { afterAll, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { startDispatcher } from "./dispatcher.ts";
import { until } from "#db/testing/work.ts";
import { createEndpoint } from "./endpoints.ts";
import { type Reply, startReceiver, testCipher } from "../testing.ts";
import { enqueueDeliveries } from "../../engine/store/outbox.ts";

const database = await testDatabase();
const logger = { warn: () => {}, error: () => {} };
const dispatcher = startDispatcher({ database, logger, cipher: testCipher, allowPrivateAddresses: true });
const receivers: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await dispatcher.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

/** An endpoint with a settable response and this many deliveries. */
async function endpointWith(deliveries: number) {
  const project = await testProject(database);
  const answers = { reply: { status: 200 } as Reply };
  const receiver = await startReceiver(() => answers.reply);
  receivers.push(receiver);
  const { id } = await createEndpoint(
    database,
    project.sandbox,
    { url: receiver.url, events: ["mission.completed"] },
    { allowPrivateAddresses: true, cipher: testCipher },
  );
  const scope = { project: project.slug, environment: "sandbox" as const, id };
  const tell = () =>
    database.sql.begin((tx) =>
      enqueueDeliveries(
        tx,
        Array.from({ length: deliveries }, () => ({
          environmentId: project.sandbox.id,
          event: "mission.completed" as const,
          sourceId: crypto.randomUUID(),
          data: { missionKey: "one" },
          occurredAt: Date.now(),
        })),
      ),
    );
  return { ...project, ...(await signedIn(database, project.slug, "Admin")), scope, receiver, answers, tell };
}

test("deliveries are listed page by page, each once, even if many were written at one instant", async () => {
  const { scope, rpc, tell, receiver } = await endpointWith(7);
  await tell();
  await until(() => receiver.received.length === 7);
  const ids: string[] = [];
  for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
    const found = await rpc.webhooks.deliveries({ ...scope, cursor, take: 3 });
    ids.push(...found.deliveries.map(({ id }) => id));
    cursor = found.next;
  }
  expect(ids).toHaveLength(7);
  expect(new Set(ids).size).toBe(7);
  const cursor = `2026-01-02T03:04:05Z ${"-".repeat(36)}`;
  await expect(rpc.webhooks.deliveries({ ...scope, cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(rpc.changeRequests.list({ ...scope, cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a refused delivery shows its attempts and body, and can be resent under its id", async () => {
  const { scope, slug, rpc, email, tell, receiver, answers } = await endpointWith(1);
  answers.reply = { status: 400 };
  await tell();
  const listed = async (status: "Failed" | "Delivered") => (await rpc.webhooks.deliveries({ ...scope, status })).deliveries;
  await until(async () => (await listed("Failed")).length === 1);
  const deliveryId = (await listed("Failed"))[0]!.id;
  const failed = await rpc.webhooks.delivery({ ...scope, deliveryId });
  expect(failed).toMatchObject({ attempts: 1, lastStatus: 400, nextAttemptAt: null, body: receiver.received[0]!.body });
  expect(failed.attemptsMade).toMatchObject([{ number: 1, responseStatus: 400, words: expect.stringContaining("refuses") }]);

  answers.reply = { status: 200 };
  await rpc.webhooks.retry({ ...scope, deliveryId });
  dispatcher.wake();
  await until(async () => (await listed("Delivered")).length === 1);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId, deliveryId]);
  expect((await rpc.webhooks.delivery({ ...scope, deliveryId })).attemptsMade.map(({ responseStatus }) => responseStatus)).toEqual([
    400, 200,
  ]);
  const { entries } = await rpc.auditLog.list({ project: slug, action: "retry" });
  expect(entries).toMatchObject([{ actor: email, subjectKind: "webhookDelivery", subjectKey: deliveryId }]);
});

test("resending is refused for an endpoint that is off, without permission, and for another project", async () => {
  const { scope, slug, rpc, tell, answers } = await endpointWith(1);
  answers.reply = { status: 400 };
  await tell();
  await until(async () => (await rpc.webhooks.deliveries({ ...scope, status: "Failed" })).deliveries.length === 1);
  const deliveryId = (await rpc.webhooks.deliveries(scope)).deliveries[0]!.id;
  const viewer = await signedIn(database, slug, "Viewer");
  await expect(viewer.rpc.webhooks.retry({ ...scope, deliveryId })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const other = await endpointWith(0);
  await expect(other.rpc.webhooks.retry({ ...other.scope, deliveryId })).rejects.toThrow("no delivery");
  await expect(other.rpc.webhooks.delivery({ ...other.scope, id: scope.id, deliveryId })).rejects.toThrow("no webhook endpoint");
  await rpc.webhooks.switch({ ...scope, isOn: false });
  await expect(rpc.webhooks.retry({ ...scope, deliveryId })).rejects.toThrow("switched off");
});

test.each(["streak.milestone_reached", "leaderboard.period_closed"] as const)(
  "a delivery of %s cannot be resent by people, who see the reason",
  async (event) => {
    const { scope, slug, sandbox, rpc, receiver, answers } = await endpointWith(0);
    await rpc.webhooks.edit({ ...scope, url: receiver.url, events: [event] });
    answers.reply = { status: 400 };
    const notification = { environmentId: sandbox.id, event, sourceId: crypto.randomUUID(), data: {}, occurredAt: Date.now() };
    await database.sql.begin((tx) => enqueueDeliveries(tx, [notification]));
    dispatcher.wake();
    await until(async () => (await rpc.webhooks.deliveries({ ...scope, status: "Failed" })).deliveries.length === 1);
    const deliveryId = (await rpc.webhooks.deliveries(scope)).deliveries[0]!.id;
    const words = `Only mission.completed and catalog_item.fulfillment_requested can be resent, not ${event}.`;
    expect(await rpc.webhooks.delivery({ ...scope, deliveryId })).toMatchObject({ status: "Failed", resendProblem: words });
    await expect(rpc.webhooks.retry({ ...scope, deliveryId })).rejects.toThrow(words);
    // A pending delivery and a delivered one cannot be resent either.
    for (const status of ["Pending", "Delivered"]) {
      await database.sql`update webhook_deliveries set status = ${status}, due_at = now() + interval '1 hour' where id = ${deliveryId}`;
      await expect(rpc.webhooks.retry({ ...scope, deliveryId })).rejects.toThrow(words);
    }
    expect(receiver.received).toHaveLength(1);
    expect((await rpc.auditLog.list({ project: slug, action: "retry" })).entries).toEqual([]);
  },
);
