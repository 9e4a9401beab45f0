import { expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { run } from "../process/cli.ts";
import { TEST_AUTH_SECRET } from "../delivery/testing.ts";
import { capturePrinted } from "./testing.ts";

const database = await testDatabase();
vi.stubEnv("BASE_URL", "");
vi.stubEnv("DATABASE_URL", await testDatabaseUrl());
vi.stubEnv("WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "");
vi.stubEnv("AUTH_SECRET", TEST_AUTH_SECRET);
vi.stubEnv("AUTH_SECRET_PREVIOUS", "");

const taken = capturePrinted();

async function webhook(...args: string[]) {
  const code = await run(["webhook", ...args]);
  return { code, ...taken() };
}

test("webhook create, list and delete: create prints only the secret", async () => {
  const { slug } = await testProject(database);
  const where = ["--project", slug, "--environment", "sandbox"];
  const events = "mission.completed, catalog_item.fulfillment_requested";
  const created = await webhook("create", ...where, "--url", "https://8.8.8.8/hooks", "--events", events);
  expect(created).toMatchObject({ code: 0, out: [expect.stringMatching(/^whsec_\S+$/)] });

  const listed = await webhook("list", ...where);
  const [id, ...columns] = listed.out[0]!.split("\t");
  expect(columns).toEqual(["active", "https://8.8.8.8/hooks", "mission.completed,catalog_item.fulfillment_requested"]);
  expect(await webhook("list", "--project", slug, "--environment", "live")).toMatchObject({ code: 0, out: [] });

  expect(await webhook("delete", ...where, "--id", id!)).toMatchObject({ code: 0, out: [] });
  expect(await webhook("delete", ...where, "--id", id!)).toMatchObject({ code: 1, err: [expect.stringContaining(id!)] });
  expect(await webhook("list", ...where)).toMatchObject({ code: 0, out: [] });
});

test("webhook create prints a line for each problem, and accepts private addresses only if the setting allows it", async () => {
  const { slug } = await testProject(database);
  const create = (...more: string[]) => webhook("create", "--project", slug, "--environment", "sandbox", ...more);
  expect(await create("--url", "http://localhost:4000", "--events", "mission.done")).toMatchObject({
    code: 1,
    out: [],
    err: [expect.stringContaining("localhost is a private or local address"), expect.stringContaining('"mission.done"')],
  });
  vi.stubEnv("WEBHOOK_ALLOW_PRIVATE_ADDRESSES", "true");
  expect((await create("--url", "http://localhost:4000", "--events", "mission.completed")).code).toBe(0);
});

test("webhook reencrypt re-encrypts the secrets of another AUTH_SECRET, and fails for unreadable ones", async () => {
  const { slug } = await testProject(database);
  const where = ["--project", slug, "--environment", "sandbox"];
  await webhook("create", ...where, "--url", "https://8.8.8.8/hooks", "--events", "mission.completed");
  vi.stubEnv("AUTH_SECRET", "the one of this year");
  expect(await webhook("reencrypt")).toMatchObject({
    code: 1,
    err: expect.arrayContaining([
      expect.stringMatching(/^Webhook endpoint [0-9a-f-]{36}: its secret was encrypted under another AUTH_SECRET/),
    ]),
  });
  vi.stubEnv("AUTH_SECRET_PREVIOUS", TEST_AUTH_SECRET);
  expect(await webhook("reencrypt")).toMatchObject({
    code: 0,
    out: [],
    err: [expect.stringMatching(/^Re-encrypted: the secrets of \d+ /)],
  });
  vi.stubEnv("AUTH_SECRET_PREVIOUS", "");
  expect(await webhook("reencrypt")).toEqual({ code: 0, out: [], err: ["There was nothing to re-encrypt."] });
});
