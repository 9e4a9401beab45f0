import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { savePlayer } from "../players/service/players.ts";
import { adjustPoints } from "../points/service.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { createEndpoint, listEndpoints } from "../../delivery/service/endpoints.ts";
import { purchase } from "./service/shop.ts";
import { testCipher } from "../../delivery/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { erasePlayer } from "../../operations/privacy/erase.ts";

const database = await testDatabase();
const { sql } = database;
const NOW = Date.parse("2026-03-02T12:00:00Z");

const contents = [
  { catalogItem: "coffee", value: 1 },
  { catalogItem: "cake", value: "plum" },
  { catalogItem: "coffee", value: 2 },
];
const FILE = {
  version: 1,
  catalogItems: [
    { key: "coffee", name: "Coffee", valueType: "Number" },
    { key: "cake", name: "Cake", valueType: "String" },
  ],
  marketplaceItems: [
    { key: "voucher", name: "Voucher", priceInPoints: 30, contents, stock: 1, limitPerPlayer: 1 },
    { key: "sample", name: "Sample", priceInPoints: 0, contents: contents.slice(0, 1) },
  ],
};

/** A shop, and a customer with a hundred points. */
async function shop() {
  const project = await testProject(database);
  await importDefinitions(database, project.sandbox, FILE);
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  await savePlayer(database, sandbox, NOW, "ann", {});
  await adjustPoints(database, sandbox, NOW, { externalId: "ann", amount: 100, reason: "gift", idempotencyKey: null });
  const buy = async (listingKey: string, now = NOW) =>
    (await purchase(database, sandbox, now, { externalId: "ann", listingKey, idempotencyKey: null })).purchaseId;
  const scope = { project: project.slug, environment: "sandbox" as const };
  return { ...project, sandbox, buy, scope, rpc: (await signedIn(database, project.slug, "Viewer")).rpc };
}

test("a player's purchases are shown once each, newest first, even if several were made at one instant", async () => {
  const { rpc, scope, buy } = await shop();
  const bought: string[] = [];
  for (let at = 0; at < 7; at++) bought.push(await buy("sample", NOW + Math.floor(at / 3)));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { purchases: { id: string }[]; next: string | null } = await rpc.marketplace.purchases({
      ...{ ...scope, externalId: "ann", cursor },
      limit: 2,
    });
    seen.push(...page.purchases.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  expect(seen).toEqual(bought.reverse());
  expect(await rpc.marketplace.purchases({ ...scope, externalId: "nobody" })).toEqual({ purchases: [], next: null });
  expect(await rpc.marketplace.purchases({ ...scope, externalId: "a\u0000" })).toEqual({ purchases: [], next: null });
  await expect(rpc.marketplace.purchases({ ...scope, externalId: "ann", cursor: "1; drop" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("a purchase is shown with its items and the status of their fulfillment webhooks", async () => {
  const { rpc, scope, sandbox, buy } = await shop();
  await buy("sample");
  const endpoint = { url: "http://127.0.0.1:9/hooks", events: ["catalog_item.fulfillment_requested"] };
  await createEndpoint(database, sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  await buy("voucher", NOW + 1);
  const endpointId = (await listEndpoints(database, sandbox))[0]?.id;
  await sql`
    update webhook_deliveries d set status = case o.ordinal when 0 then 'Pending' else 'Delivered' end, attempts = o.ordinal + 1
    from owed_items o where o.id = d.source_id and o.environment_id = ${sandbox.id}`;
  const { purchases } = await rpc.marketplace.purchases({ ...scope, externalId: "ann" });
  const to = { endpointId, deliveryId: expect.any(String) as string };
  expect(purchases).toEqual([
    {
      id: expect.any(String),
      listing: "voucher",
      name: "Voucher",
      price: 30,
      purchasedAt: "2026-03-02T12:00:00.001Z",
      round: 0,
      limitPerPlayer: 1,
      contents: [
        { catalogItem: "coffee", value: "1", notification: { ...to, status: "Pending", attempts: 1 } },
        { catalogItem: "cake", value: '"plum"', notification: { ...to, status: "Delivered", attempts: 2 } },
        { catalogItem: "coffee", value: "2", notification: { ...to, status: "Delivered", attempts: 3 } },
      ],
      reversed: null,
    },
    expect.objectContaining({
      listing: "sample",
      limitPerPlayer: null,
      contents: [{ catalogItem: "coffee", value: "1", notification: null }],
    }),
  ]);
});

test("Support takes a purchase back once: points, unit and allowance return, and the audit log names person, purchase and reason", async () => {
  const { rpc: viewer, slug, scope, sandbox, buy } = await shop();
  const { rpc, email } = await signedIn(database, slug, "Support");
  const purchaseId = await buy("voucher");
  await expect(buy("voucher")).rejects.toMatchObject({ code: "marketplace_item.out_of_stock" });
  const order = { ...scope, purchaseId, reason: " by mistake " };
  await expect(viewer.marketplace.reverse(order)).rejects.toMatchObject({ code: "FORBIDDEN" });
  for (const reason of [" ", "a\u0000b", "x".repeat(501)])
    await expect(rpc.marketplace.reverse({ ...order, reason })).rejects.toThrow(/Give a reason/);
  await expect(rpc.marketplace.reverse({ ...order, environment: "live" })).rejects.toThrow(/has no purchase/);

  expect(await rpc.marketplace.reverse(order)).toEqual({ refunded: 30, balance: 100 });
  await expect(rpc.marketplace.reverse(order)).rejects.toThrow(/was reversed before; nothing is refunded twice/);
  const { purchases } = await rpc.marketplace.purchases({ ...scope, externalId: "ann" });
  expect(purchases).toMatchObject([{ id: purchaseId, reversed: { at: expect.any(String), reason: "by mistake" } }]);
  expect(await buy("voucher")).not.toBe(purchaseId);

  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "purchase" });
  expect(entries).toMatchObject([{ actor: email, environment: "sandbox", action: "reverse", subjectKey: purchaseId }]);
  expect(entries[0]!.changes).toEqual([
    { path: "player", before: null, after: '"ann"' },
    { path: "listing", before: null, after: '"voucher"' },
    { path: "refund", before: null, after: "30" },
    { path: "reason", before: null, after: '"by mistake"' },
  ]);
  const [round] = await sql`select sold from marketplace_rounds where environment_id = ${sandbox.id}`;
  expect(round).toEqual({ sold: 1 });
});

test("a purchase whose refund would exceed the balance's limit stays, with the reason", async () => {
  const { slug, scope, sandbox, buy } = await shop();
  const { rpc } = await signedIn(database, slug, "Editor");
  const purchaseId = await buy("voucher");
  const amount = Number.MAX_SAFE_INTEGER - 80;
  await adjustPoints(database, sandbox, NOW, { externalId: "ann", amount, reason: "gift", idempotencyKey: null });
  await expect(rpc.marketplace.reverse({ ...scope, purchaseId, reason: "x" })).rejects.toThrow(/the balance would be more than/);
  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "purchase" });
  expect(entries).toEqual([]);
});

test("a purchase of an erased player cannot be reversed, and the refusal says so", async () => {
  const { slug, scope, sandbox, buy } = await shop();
  const { rpc } = await signedIn(database, slug, "Support");
  const purchaseId = await buy("voucher");
  await erasePlayer(database, sandbox, "ann", "She asked");
  await expect(rpc.marketplace.reverse({ ...scope, purchaseId, reason: "x" })).rejects.toThrow(/its player was erased/);
});

test("an item of a reversed purchase is left out when failed deliveries are resent together, and its own resend says so", async () => {
  const { slug, scope, sandbox, buy } = await shop();
  const { rpc } = await signedIn(database, slug, "Support");
  const endpoint = { url: "http://127.0.0.1:9/hooks", events: ["catalog_item.fulfillment_requested"] };
  await createEndpoint(database, sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  const [kept, reversed] = [await buy("sample"), await buy("sample", NOW + 1)];
  await sql`update webhook_deliveries set status = 'Failed' where environment_id = ${sandbox.id}`;
  await rpc.marketplace.reverse({ ...scope, purchaseId: reversed, reason: "Nothing came" });
  const failures = { ...scope, id: null, since: "2026-01-01T00:00:00Z" };
  expect(await rpc.webhooks.countFailed(failures)).toMatchObject({ count: 1 });
  expect(await rpc.webhooks.resendFailed(failures)).toEqual({ resent: 1, left: 0 });

  const { deliveries } = await rpc.webhooks.deliveries(scope);
  const shown = await Promise.all(
    deliveries.map(({ id, endpointId }) => rpc.webhooks.delivery({ ...scope, id: endpointId, deliveryId: id })),
  );
  const seen = (status: string) => shown.find((delivery) => delivery.status === status)!;
  expect(seen("Pending")).toMatchObject({ isPurchaseReversed: false, body: expect.stringContaining(kept) });
  const failed = seen("Failed");
  expect(failed).toMatchObject({ isPurchaseReversed: true, body: expect.stringContaining(reversed) });
  await rpc.webhooks.retry({ ...scope, id: failed.endpointId, deliveryId: failed.id });
  expect(await rpc.webhooks.delivery({ ...scope, id: failed.endpointId, deliveryId: failed.id })).toMatchObject({ status: "Pending" });
});
