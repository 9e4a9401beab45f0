import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { advanceClock, findEnvironment } from "./environments.ts";
import { archiveProject, createProject } from "./projects.ts";

const database = await testDatabase();
const { sql } = database;

const settings = (slug: string) => ({ slug, name: slug, defaultLanguage: "en", timeZone: "UTC" });
const organizationOf = async (slug: string) => (await findEnvironment(database, slug, "live")).organizationId;

test("a project is created in the first organization, or in the named one, which is created if new", async () => {
  await createProject(database, settings("one"));
  await createProject(database, settings("two"), "second-org");
  await createProject(database, settings("three"), "second-org");
  await createProject(database, settings("four"));
  expect(await organizationOf("four")).toBe(await organizationOf("one"));
  expect(await organizationOf("three")).toBe(await organizationOf("two"));
  expect(await organizationOf("two")).not.toBe(await organizationOf("one"));
});

test("a slug is unique, even with concurrent requests", async () => {
  const results = await Promise.allSettled([1, 2, 3].map(() => createProject(database, settings("twice"))));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [environments] =
    await sql`select count(*)::int as count from environments e join projects p on p.id = e.project_id where p.slug = 'twice'`;
  expect(environments!.count).toBe(2);
});

test("archiving again changes nothing, and is not logged again", async () => {
  const { slug } = await testProject(database);
  for (let time = 0; time < 2; time++) await archiveProject(database, slug);
  expect(await sql`select from audit_log where action = 'archive' and subject_key = ${slug}`).toHaveLength(1);
});

test("a clock never moves back, and Live's never moves", async () => {
  const { sandbox, live } = await testProject(database);
  await sql.begin((tx) => advanceClock(tx, sandbox.id, 1000));
  await expect(sql.begin((tx) => advanceClock(tx, sandbox.id, 999))).rejects.toThrow(OperatorError);
  await expect(sql.begin((tx) => advanceClock(tx, live.id, 1000))).rejects.toThrow(OperatorError);
});
