import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { purchase } from "../../game/marketplace/service/shop.ts";
import { savePlayer } from "../../game/players/service/players.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";
import { webhooksContract } from "../../model/webhooks/contract.ts";
import { sampleData } from "../../model/webhooks/sample.ts";
import { WEBHOOK_EVENTS } from "../../model/webhooks/subscriptions.ts";
import { testCipher } from "../testing.ts";
import { createEndpoint } from "./endpoints.ts";
import { forgetListeners } from "./listen.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
const { sql } = database;

/** A Sandbox with a listener, to all events unless some are named. */
async function listening(events?: string[]) {
  const { slug, sandbox } = await testProject(database);
  const { rpc } = await signedIn(database, slug, "Support");
  const where = { project: slug, environment: "sandbox" as const };
  const start = async (session: string) => (await rpc.webhooks.listen({ ...where, name: "laptop", session, start: { events } })).secret;
  const take = async (session = "one", done: string[] = []) =>
    (await rpc.webhooks.listen({ ...where, name: "laptop", session, done })).copies;
  const trigger = (event = "mission.completed") => rpc.webhooks.trigger({ ...where, event, about: "first", forPlayer: "ann" });
  return { slug, sandbox, rpc, where, start, take, trigger, secret: await start("one") };
}

test("a listener gets signed copies in order, each again until acknowledged, even if no endpoint subscribes", async () => {
  const { take, trigger, secret, start } = await listening();
  expect(await trigger()).toEqual({ endpoints: 0, endpointsOff: 0, listeners: 1, listenersGone: 0 });
  await trigger("leaderboard.period_closed");
  const copies = await take();
  expect(copies.map(({ event }) => event)).toEqual(["mission.completed", "leaderboard.period_closed"]);
  for (const { id, body, headers } of copies) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ version: 1, deliveryId: id });
    expect(headers["webhook-id"]).toBe(id);
  }
  const [first, second] = copies.map(({ id }) => id) as [string, string];
  expect((await take("one", [first])).map(({ id }) => id)).toEqual([second]);

  // Another run of the program continues where the last one stopped, under the same secret, and the last one gets nothing more.
  expect(await start("two")).toBe(secret);
  expect((await take("two")).map(({ id }) => id)).toEqual([second]);
  expect(await take("two", [second])).toEqual([]);
  await expect(take("one")).rejects.toThrow('Another program is now listening as "laptop"');
});

test("a change of a listener's events is in the audit log, a restart with the same ones is not", async () => {
  const { slug, rpc, where } = await listening(["mission.completed", "streak.milestone_reached"]);
  const listen = (session: string, events: string[]) => rpc.webhooks.listen({ ...where, name: "laptop", session, start: { events } });
  await listen("two", ["streak.milestone_reached", "mission.completed"]);
  await listen("three", ["mission.completed", "catalog_item.fulfillment_requested"]);
  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "webhookListener" });
  expect(entries.map(({ action, subjectKey }) => [action, subjectKey])).toEqual([
    ["update", "laptop"],
    ["create", "laptop"],
  ]);
  expect(JSON.stringify(entries[0]!.changes)).toContain("catalog_item.fulfillment_requested");
});

test("a purchase is copied in its transaction, for listeners to its event", async () => {
  const all = await listening();
  const few = await listening(["mission.completed"]);
  for (const { sandbox, take } of [all, few]) {
    await importDefinitions(database, sandbox, {
      version: 1,
      catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
      marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }],
    });
    await savePlayer(database, sandbox, Date.now(), "ann", {});
    await purchase(database, sandbox, Date.now(), { externalId: "ann", listingKey: "voucher", idempotencyKey: null });
    const data = (await take()).map(({ body }) => (JSON.parse(body) as { data: object }).data);
    expect(data).toMatchObject(sandbox === all.sandbox ? [{ playerExternalId: "ann", catalogItemKey: "coffee" }] : []);
  }
});

test("a waiting listener gets copies immediately; copies of other people and of Live are not accessible", async () => {
  const { slug, rpc, where, take, trigger } = await listening();
  const waiting = rpc.webhooks.listen({ ...where, name: "laptop", session: "one", waitMs: 5_000 });
  await trigger();
  expect((await waiting).copies).toHaveLength(1);
  const other = await signedIn(database, slug, "Owner");
  await expect(other.rpc.webhooks.listen({ ...where, name: "laptop", session: "one" })).rejects.toThrow("Nothing listens");
  const live = { ...where, environment: "live" as const };
  await expect(rpc.webhooks.listen({ ...live, name: "laptop", session: "one" })).rejects.toThrow("for a Sandbox");
  await expect(rpc.webhooks.trigger({ ...live, event: "mission.completed", about: "m", forPlayer: "p" })).rejects.toThrow("for a Sandbox");
  await expect(trigger("mission.done")).rejects.toThrow('no webhook event "mission.done"');

  await sql`update webhook_listeners set seen_at = now() - interval '25 hours' where environment_id = (select environment_id from webhook_copies c where c.id = ${(await take())[0]!.id})`;
  await forgetListeners(database);
  await expect(take()).rejects.toThrow('Nothing listens as "laptop" any more');
  await expect(trigger()).rejects.toThrow("mission.completed has no receiver");
});

test("copies of an expired listener are deleted in slices, so that deliveries need not wait for all of them", async () => {
  const [own, other] = [await listening(), await listening()];
  for (const { trigger } of [own, other]) await trigger();
  await sql`
    insert into webhook_copies (id, listener_id, environment_id, event, data, occurred_at)
    select gen_random_uuid(), listener_id, environment_id, event, data, occurred_at
    from webhook_copies cross join generate_series(1, 5000) where environment_id = ${own.sandbox.id}`;
  await sql`update webhook_listeners set seen_at = now() - interval '25 hours' where environment_id = ${own.sandbox.id}`;
  expect(await forgetListeners(database)).toBe(false);
  expect(await sql`select from webhook_copies where environment_id = ${own.sandbox.id}`).toHaveLength(1);
  expect(await forgetListeners(database)).toBe(true);
  expect(await sql`select from webhook_copies where environment_id = ${own.sandbox.id}`).toHaveLength(0);
  expect(await other.take()).toHaveLength(1);
});

test("a test delivery counts stopped listeners and switched-off endpoints separately from those that get it now", async () => {
  const { sandbox, trigger, take } = await listening();
  const url = "http://127.0.0.1:9/hooks";
  const made = { allowPrivateAddresses: true, cipher: testCipher };
  await createEndpoint(database, sandbox, { url, events: ["mission.completed"] }, made);
  const off = await createEndpoint(database, sandbox, { url, events: ["mission.completed"] }, made);
  await sql`update webhook_endpoints set disabled_at = now() where id = ${off.id}`;
  await sql`update webhook_listeners set seen_at = now() - interval '16 seconds' where environment_id = ${sandbox.id}`;
  expect(await trigger()).toEqual({ endpoints: 1, endpointsOff: 1, listeners: 0, listenersGone: 1 });
  expect(await take(), "it has waited for the program").toHaveLength(1);
  expect(await trigger()).toEqual({ endpoints: 1, endpointsOff: 1, listeners: 1, listenersGone: 0 });
});

test.each(WEBHOOK_EVENTS)("a test delivery of %s has the shape of a real one", (event) => {
  const now = Date.UTC(2026, 0, 31);
  const data = sampleData(event, { player: "ann", key: "first", id: crypto.randomUUID(), now });
  const envelope = { version: 1, event, deliveryId: crypto.randomUUID(), occurredAtUtc: formatInstant(now), data };
  expect(webhooksContract[event]!.body.safeParse(envelope).error).toBeUndefined();
});

test("copies about an erased player are deleted", async () => {
  const { sandbox, take, trigger } = await listening();
  await savePlayer(database, sandbox, Date.now(), "ann", {});
  await trigger();
  await trigger("leaderboard.period_closed");
  await erasePlayer(database, sandbox, "ann", "They asked");
  expect((await take()).map(({ event }) => event)).toEqual(["leaderboard.period_closed"]);
});

test("a process with many waiting listeners delays a further one instead of letting it poll in a loop", async () => {
  const { rpc, where } = await listening();
  const wait = () => rpc.webhooks.listen({ ...where, name: "laptop", session: "one", waitMs: 500 });
  const others = Array.from({ length: 50 }, wait);
  const began = performance.now();
  await wait();
  expect(performance.now() - began).toBeGreaterThan(400);
  await Promise.all(others);
});

test("a person has at most five listeners, even with concurrent starts, and leaves slots for others; existing names can restart", async () => {
  const { rpc, where, slug } = await listening();
  const start = (name: string, by = rpc) => by.webhooks.listen({ ...where, name, session: name, start: { events: ["mission.completed"] } });
  const begun = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => start(`name ${at}`)));
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  await expect(start("one more")).rejects.toThrow("You listen to this Sandbox under 5 names already.");
  await start("laptop");
  const other = await signedIn(database, slug, "Support");
  await start("laptop", other.rpc);
});
