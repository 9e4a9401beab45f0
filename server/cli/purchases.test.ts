import { expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { purchase } from "../game/marketplace/service/shop.ts";
import { savePlayer } from "../game/players/service/players.ts";
import { run } from "../process/cli.ts";
import { importDefinitions } from "../authoring/definitions/service/import.ts";
import { capturePrinted } from "./testing.ts";

const database = await testDatabase();
vi.stubEnv("BASE_URL", "");
vi.stubEnv("DATABASE_URL", await testDatabaseUrl());

const taken = capturePrinted();

test("purchase reverse reverses a purchase once, and explains why it cannot", async () => {
  const { slug, sandbox } = await testProject(database);
  await importDefinitions(database, sandbox, {
    version: 1,
    catalogItems: [{ key: "coffee", name: "Coffee", valueType: "Number" }],
    marketplaceItems: [{ key: "voucher", name: "Voucher", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }],
  });
  await savePlayer(database, sandbox, Date.now(), "ann", {});
  const { purchaseId } = await purchase(database, sandbox, Date.now(), { externalId: "ann", listingKey: "voucher", idempotencyKey: null });
  const reverse = async (id: string, ...more: string[]) => {
    const code = await run(["purchase", "reverse", "--project", slug, "--environment", "sandbox", "--id", id, ...more]);
    return { code, ...taken() };
  };
  expect(await reverse(purchaseId)).toMatchObject({ code: 1, out: [], err: [expect.stringContaining("--reason")] });
  expect(await reverse(purchaseId, "--reason", "by mistake")).toMatchObject({
    code: 0,
    out: [],
    err: [expect.stringContaining(purchaseId)],
  });
  expect(await reverse(purchaseId, "--reason", "by mistake")).toEqual({
    code: 1,
    out: [],
    err: [`The purchase ${purchaseId} was reversed before; nothing is refunded twice.`],
  });
  const log = await database.sql`
    select actor, action, subject_key from audit_log where environment_id = ${sandbox.id} and subject_kind = 'purchase'`;
  expect(log).toEqual([{ actor: "command line", action: "reverse", subjectKey: purchaseId }]);
  expect(await reverse("nothing", "--reason", "x")).toEqual({ code: 1, out: [], err: ["This environment has no purchase nothing."] });
});
