import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { definitionsOf } from "../definitions/service.ts";
import { archiveProject, authenticate, findEnvironment } from "../projects/service.ts";
import { ensureDemo } from "./load.ts";

const database = await testDatabase();

test("the demo comes once, with its definitions and a key, however many processes start", async () => {
  const made = (await Promise.all([1, 2, 3].map(() => ensureDemo(database)))).filter((one) => one !== null);
  expect(made).toEqual([{ slug: "demo", sandboxKey: expect.stringMatching(/^svc_sbox_[0-9a-f]{64}$/) }]);
  const { environment } = await authenticate(database.sql, `Bearer ${made[0]!.sandboxKey}`);
  const { missions } = await definitionsOf(database.sql, environment);
  expect(missions.map(({ key }) => key)).toEqual(["first_order", "daily_cup", "coffee_lover", "explorer"]);
});

test("a first start that broke off before the key is finished by the next", async () => {
  const sandbox = await findEnvironment(database, "demo", "sandbox");
  await database.sql`delete from api_keys where environment_id = ${sandbox.id}`;
  expect(await ensureDemo(database)).toMatchObject({ slug: "demo" });
});

test("an archived demo stays archived, and a project of one's own keeps it away", async () => {
  await archiveProject(database, "demo");
  expect(await ensureDemo(database)).toBeNull();
  await testProject(database);
  expect(await ensureDemo(database)).toBeNull();
});
