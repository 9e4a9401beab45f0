import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "#server/api/testing/signed-in.ts";
import { loadEnvironment } from "#server/engine/environment.ts";
import { lockPlayersExclusive } from "#server/engine/store/locks.ts";
import { COMMAND_LINE } from "#server/model/kernel/environment.ts";
import { importDefinitions } from "./import.ts";
import { changeProject } from "./project-settings.ts";

const database = await sharedDatabase();

test("name, default language and time zone hold for both environments as soon as they are saved, and are in the audit log", async () => {
  const { slug, sandbox, live } = await testProject(database);
  const { rpc, email } = await signedIn(database, slug, "Admin");
  const settings = { name: "Coffee", defaultLanguage: "nl-be", timeZone: "Asia/Tokyo" };
  expect(await rpc.projectSettings.save({ project: slug, ...settings })).toEqual({ problems: [] });
  expect(await rpc.projectSettings.read({ project: slug })).toMatchObject({ ...settings, defaultLanguage: "nl-BE" });
  for (const { id } of [sandbox, live]) {
    expect(await loadEnvironment(database.sql, id)).toMatchObject({ defaultLanguage: "nl-BE", timeZone: "Asia/Tokyo" });
  }
  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "project", action: "update" });
  expect(entries).toMatchObject([{ actor: email, environment: null, subjectKey: slug }]);
  expect(entries[0]!.changes).toContainEqual({ path: "timeZone", before: '"UTC"', after: '"Asia/Tokyo"' });
  await rpc.projectSettings.save({ project: slug, ...settings });
  expect((await rpc.auditLog.list({ project: slug, subjectKind: "project", action: "update" })).entries).toHaveLength(1);
});

test("a save changes what it names alone: the zone that another Admin has set since the page was read stays", async () => {
  const { slug } = await testProject(database);
  const { rpc } = await signedIn(database, slug, "Admin");
  await rpc.projectSettings.save({ project: slug, timeZone: "Europe/Amsterdam" });
  expect(await rpc.projectSettings.save({ project: slug, name: "Coffee" })).toEqual({ problems: [] });
  expect(await rpc.projectSettings.read({ project: slug })).toMatchObject({ name: "Coffee", timeZone: "Europe/Amsterdam" });
});

test("texts are named in the new default language at once, although no definition has changed", async () => {
  const { slug, sandbox } = await testProject(database);
  const name = { default: "en", texts: { en: "Order placed", nl: "Besteld" } };
  expect(await importDefinitions(database, sandbox, { version: 1, events: [{ key: "order_placed", name }] })).not.toHaveProperty(
    "problems",
  );
  const { rpc } = await signedIn(database, slug, "Admin");
  const names = async () => (await rpc.definitions.texts({ project: slug, environment: "sandbox" })).rows.map((row) => row.name);
  expect(await names()).toEqual(["Order placed"]);
  await rpc.projectSettings.save({ project: slug, defaultLanguage: "nl" });
  expect(await names()).toEqual(["Besteld"]);
});

test("all problems are reported together, at their fields, and nothing is saved; other roles are refused", async () => {
  const { slug } = await testProject(database);
  const { rpc } = await signedIn(database, slug, "Admin");
  const before = await rpc.projectSettings.read({ project: slug });
  const wrong = { project: slug, name: " ", defaultLanguage: "Dutch!", timeZone: "Mars/Base" };
  const { problems } = await rpc.projectSettings.save(wrong);
  expect(problems.map(({ pointer }) => pointer)).toEqual(["#/name", "#/defaultLanguage", "#/timeZone"]);
  expect(await rpc.projectSettings.read({ project: slug })).toMatchObject(before);
  const editor = await signedIn(database, slug, "Editor");
  await expect(editor.rpc.projectSettings.save({ project: slug, ...before })).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a change of the zone is refused during a reset of the Sandbox: waiting for it would keep Live locked", async () => {
  const { slug, sandbox } = await testProject(database);
  const { sql } = database;
  await sql`
    insert into streak_beginnings (part, player_id, streak_id, start, environment_id, due_at)
    values (1, gen_random_uuid(), 1, '2099-01-01', ${sandbox.id}, '2099-01-01')`;
  await sql.begin(async (reset) => {
    await lockPlayersExclusive(reset, sandbox.id);
    await reset`delete from streak_beginnings where environment_id = ${sandbox.id}`;
    await expect(changeProject(database, sandbox, { timeZone: "Asia/Tokyo" }, COMMAND_LINE)).rejects.toMatchObject({ code: "55P03" });
    expect(await changeProject(database, sandbox, { name: "Tea" }, COMMAND_LINE), "another setting").toEqual([]);
  });
  expect(await changeProject(database, sandbox, { timeZone: "Asia/Tokyo" }, COMMAND_LINE), slug).toEqual([]);
});
