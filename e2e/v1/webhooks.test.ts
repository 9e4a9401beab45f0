import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, test } from "vitest";
import { createEndpoint, deleteEndpoint, rotateSecret } from "../../server/delivery/service/endpoints.ts";
import { until } from "../../db/testing/work.ts";
import type { Backend } from "../backend.ts";
import { item, mission, points, shop } from "../definitions.ts";
import { exact } from "../http.ts";
import { startService } from "../listening.ts";
import { type Received, type Reply, startReceiver, testCipher } from "../../server/delivery/testing.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const service = await startService();
const receivers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

async function receiver(reply?: (request: Received, count: number) => Reply) {
  const started = await startReceiver(reply);
  receivers.push(started);
  return started;
}

const bodies = (received: Received[]): any[] => received.map(({ body }) => JSON.parse(body));
const complete = async (backend: Backend, playerId: string): Promise<void> => {
  await backend.missions(playerId);
  await backend.play({ playerId });
};
/** Makes the waiting retries of this backend's environment due now, as if the time had passed. */
const passTime = ({ environment: { id } }: Backend) =>
  service.database.sql`
    update webhook_deliveries set due_at = now() - interval '1 second' where environment_id = ${id} and status = 'Pending' and attempts > 0`;
const pending = async (backend: Backend): Promise<number> => {
  const [row] = await service.database
    .sql`select count(*)::int as count from webhook_deliveries where environment_id = ${backend.environment.id} and status = 'Pending'`;
  return row!["count"] as number;
};
const settled = (backend: Backend) => until(async () => (await pending(backend)) === 0);

describe("a completed mission", () => {
  test("is sent to its subscribers, with the specified fields, verifiable by Standard Webhooks", async () => {
    const { received, url } = await receiver();
    const backend = await service.sandbox(shop(mission("one", { rewards: [points(30)] })));
    const { secret } = await backend.subscribe(url);
    expect(secret).toMatch(/^whsec_/);
    await complete(backend, "ann 漢 😀");
    await until(() => received.length === 1);
    const [{ headers, body }] = received as [Received];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));

    const row = await backend.mission("ann 漢 😀", "one", { includeCompleted: true });
    const [grant] = await backend.transactions("ann 漢 😀");
    const { deliveryId } = JSON.parse(body);
    expect(JSON.parse(body)).toEqual({
      version: 1,
      event: "mission.completed",
      deliveryId: expect.stringMatching(UUID),
      occurredAtUtc: row.completedAtUtc,
      data: {
        playerExternalId: "ann 漢 😀",
        missionKey: "one",
        occurrenceId: grant.sourceId,
        occurrenceNumber: 0,
        completedAtUtc: row.completedAtUtc,
      },
    });
    expect(headers).toMatchObject({
      "x-service-event": "mission.completed",
      "x-service-delivery": deliveryId,
      "webhook-id": deliveryId,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "content-type": expect.stringContaining("application/json"),
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    await settled(backend);
    expect(received).toHaveLength(1);
  });

  test("paying items produces one instruction each, with one source", async () => {
    const { received, url } = await receiver();
    const rewards = [
      item("free_coffee", exact("12345678901234567890.12345678")),
      points(5),
      item("cup_colours", ["red", "blue"]),
      item("voucher", "X-1 😀"),
      item("early_entry", false),
      item("table_at", "2031-05-10T12:00:00+02:00"),
      item("free_coffee", exact("12345678901234567890.12345678")),
    ];
    const backend = await service.sandbox(shop(mission("one", { rewards })));
    await backend.subscribe(url, "catalog_item.fulfillment_requested");
    await complete(backend, "ann");
    await until(() => received.length === 6);
    await settled(backend);
    const [grant] = await backend.transactions("ann");
    const found = bodies(received);
    expect(new Set(found.map(({ event }) => event))).toEqual(new Set(["catalog_item.fulfillment_requested"]));
    expect(new Set(found.map(({ deliveryId }) => deliveryId)).size).toBe(6);
    for (const { data } of found) {
      expect(Object.keys(data).toSorted()).toEqual(["catalogItemKey", "playerExternalId", "sourceId", "sourceType", "value", "valueType"]);
      expect(data).toMatchObject({ playerExternalId: "ann", sourceType: "Mission", sourceId: grant.sourceId });
    }
    const items = Object.fromEntries(found.map(({ data }) => [data.catalogItemKey, [data.valueType, data.value]]));
    expect(items).toEqual({
      free_coffee: ["Number", 12345678901234567000],
      cup_colours: ["Collection", ["red", "blue"]],
      voucher: ["String", "X-1 😀"],
      early_entry: ["Boolean", false],
      table_at: ["DateTime", "2031-05-10T10:00:00.000Z"],
    });
    expect(received.filter(({ body }) => body.includes('"value":12345678901234567890.12345678'))).toHaveLength(2);
  });

  test("paying points only produces no instruction; one without a subscriber produces nothing", async () => {
    const { received, url } = await receiver();
    const backend = await service.sandbox(
      shop(mission("one", { rewards: [points(5)] }), mission("two", { rewards: [item("free_coffee", 1)] })),
    );
    await complete(backend, "before");
    await backend.subscribe(url, "mission.completed");
    await complete(backend, "ann");
    await until(() => received.length === 2);
    await settled(backend);
    expect(
      bodies(received)
        .map(({ event, data }) => [event, data.missionKey, data.playerExternalId])
        .toSorted(),
    ).toEqual([
      ["mission.completed", "one", "ann"],
      ["mission.completed", "two", "ann"],
    ]);
  });

  test("is on the environment's clock, and has a number if it recurs", async () => {
    const { received, url } = await receiver();
    const backend = await service.sandbox(
      shop(mission("one", { recurrence: { kind: "Calendar", every: "Month" }, window: { startsAt: "2031-01-01T00:00:00Z" } })),
    );
    const { secret } = await backend.subscribe(url);
    await backend.moveTo("2031-05-10T12:00:00Z");
    await backend.missions("ann");
    await backend.play({ playerId: "ann", occurredAt: "2031-05-10T12:00:00Z" });
    await until(() => received.length === 1);
    const [{ headers, body }] = received as [Received];
    expect(JSON.parse(body)).toMatchObject({ occurredAtUtc: expect.stringMatching(/^2031-05-10T12:0/), data: { occurrenceNumber: 4 } });
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
    new Webhook(secret).verify(body, headers as Record<string, string>);
  });

  test("is sent to every subscriber of its environment, each with its own secret and delivery id, and to no other", async () => {
    const [first, second, foreign] = [await receiver(), await receiver(), await receiver()];
    const { sandbox, live } = await service.customer();
    for (const backend of [sandbox, live]) await backend.define(shop(mission("one", { rewards: [item("free_coffee", 1)] })));
    const secrets = [(await sandbox.subscribe(first.url)).secret, (await sandbox.subscribe(second.url, "mission.completed")).secret];
    const { secret: liveSecret } = await live.subscribe(foreign.url);
    await complete(sandbox, "ann");
    await until(() => first.received.length === 2 && second.received.length === 1);
    await settled(sandbox);
    const found = [first, second].map(({ received }) => received.find(({ body }) => body.includes("mission.completed"))!);
    expect(new Set(bodies(found).map(({ deliveryId }) => deliveryId)).size).toBe(2);
    for (const [index, { headers, body }] of found.entries()) {
      new Webhook(secrets[index]!).verify(body, headers as Record<string, string>);
      expect(() => new Webhook(secrets[1 - index]!).verify(body, headers as Record<string, string>)).toThrow();
    }
    expect(new Set([...secrets, liveSecret]).size).toBe(3);
    expect(foreign.received).toEqual([]);
  });
});

describe("a delivery", () => {
  test("is signed with the previous secret too, after a rotation", async () => {
    const { received, url } = await receiver();
    const backend = await service.sandbox(shop(mission("one")));
    const { id, secret } = await backend.subscribe(url);
    const fresh = await rotateSecret(service.database, backend.environment, id, testCipher);
    await complete(backend, "ann");
    await until(() => received.length === 1);
    const [{ headers, body }] = received as [Received];
    for (const one of [secret, fresh]) new Webhook(one).verify(body, headers as Record<string, string>);
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  });

  test.each([500, 503, 429, 408, 301, 302, 307, 599])("answered %i is retried, with the same id and the same body", async (status) => {
    const { received, url } = await receiver((_, count) => ({ status: count === 1 ? status : 204, headers: { location: "/elsewhere" } }));
    const backend = await service.sandbox(shop(mission("one")));
    const { secret } = await backend.subscribe(url);
    await complete(backend, "ann");
    await until(async () => {
      await passTime(backend);
      return received.length === 2;
    });
    await settled(backend);
    const [first, second] = received as [Received, Received];
    expect([second.path, second.body, second.headers["webhook-id"]]).toEqual([first.path, first.body, first.headers["webhook-id"]]);
    new Webhook(secret).verify(second.body, second.headers as Record<string, string>);
    expect(received).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 410, 422])("answered %i is not retried", async (status) => {
    const { received, url } = await receiver(() => ({ status }));
    const backend = await service.sandbox(shop(mission("one")));
    await backend.subscribe(url);
    await complete(backend, "ann");
    await settled(backend);
    await passTime(backend);
    expect(received).toHaveLength(1);
  });

  test("to a receiver that hangs delays no delivery to another endpoint", async () => {
    const hanging = await receiver(() => "hang");
    const quick = await receiver();
    const backend = await service.sandbox(shop(mission("one")));
    const { id } = await backend.subscribe(hanging.url, "mission.completed");
    await backend.subscribe(quick.url, "mission.completed");
    const players = Array.from({ length: 24 }, (_, index) => `p${index}`);
    await Promise.all(players.map((playerId) => backend.missions(playerId)));
    await backend.play(...players.map((playerId) => ({ playerId })));
    await until(() => quick.received.length === players.length);
    expect(hanging.atOnce.most).toBeLessThanOrEqual(8);
    await deleteEndpoint(service.database, backend.environment, id);
    await hanging.close();
    await settled(backend);
    expect(quick.received).toHaveLength(players.length);
  });
});

describe("an endpoint is refused", () => {
  const refuse = async (url: string, events: string[], allowPrivateAddresses: boolean): Promise<void> => {
    const { sandbox } = await service.customer();
    await expect(
      createEndpoint(service.database, sandbox.environment, { url, events }, { allowPrivateAddresses, cipher: testCipher }),
      url,
    ).rejects.toThrow();
  };

  test.each([
    "http://localhost/hooks",
    "http://localhost./hooks",
    "http://shop.localhost/hooks",
    "https://127.0.0.1/hooks",
    "https://127.1/hooks",
    "https://2130706433/hooks",
    "https://0x7f000001/hooks",
    "https://0177.0.0.1/hooks",
    "https://0.0.0.0/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[fd00:ec2::254]/",
  ])("at a private address: %s", (url) => refuse(url, ["mission.completed"], false));

  test.each([
    "",
    "hooks",
    "/hooks",
    "//example.com/hooks",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://",
    `https://example.com/${"x".repeat(2_029)}`,
  ])("at anything but a web address of at most 2,048 characters: %s", (url) => refuse(url, ["mission.completed"], true));

  test.each([[[]], [["mission.started"]], [["mission.completed", "Mission.Completed"]]])("for no events or unknown ones: %j", (events) =>
    refuse("http://127.0.0.1:1/hooks", events, true),
  );

  test("that would be the second fulfilment endpoint, until the first is deleted", async () => {
    const { sandbox, live } = await service.customer();
    await sandbox.subscribe("http://127.0.0.1:1/a", "catalog_item.fulfillment_requested");
    await expect(sandbox.subscribe("http://127.0.0.1:1/b", "mission.completed", "catalog_item.fulfillment_requested")).rejects.toThrow();
    await sandbox.subscribe("http://127.0.0.1:1/c", "mission.completed");
    await live.subscribe("http://127.0.0.1:1/d", "catalog_item.fulfillment_requested");
  });
});
