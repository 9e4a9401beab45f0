import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { testApi } from "../testing/calls.ts";
import { createEndpoint } from "../../delivery/service/endpoints.ts";
import { testCipher } from "../../delivery/testing.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await testDatabase();
let woken = 0;
const api = await testApi(database, { wake: () => void woken++ });

test("a purchase wakes the webhook sender if there is a delivery, and a replay does not", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  await importDefinitions(database, sandbox, {
    version: 1,
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }],
  });
  await api.post("/v1/players", { playerId: "ann" }, sandboxKey);
  const buy = async (idempotencyKey: string) => {
    const before = woken;
    expect((await api.post("/v1/marketplace-items/voucher/purchases", { playerId: "ann", idempotencyKey }, sandboxKey)).status).toBe(200);
    return woken - before;
  };
  expect(await buy("nobody listens")).toBe(0);
  const endpoint = { url: "http://127.0.0.1:9/hooks", events: ["catalog_item.fulfillment_requested"] };
  await createEndpoint(database, sandbox, endpoint, { allowPrivateAddresses: true, cipher: testCipher });
  expect(await buy("somebody does")).toBe(1);
  expect(await buy("somebody does")).toBe(0);
});
