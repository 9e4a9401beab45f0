import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { createUser, ensureFirstOwner } from "./accounts.ts";
import { isPassword } from "../../model/identity/passwords.ts";

const database = await testDatabase();
const { sql } = database;

test("the first owner and the first organization are created once, even if several processes start", async () => {
  const owner = { email: "Owner@Example.com", password: "correct horse" };
  const made = await Promise.all([1, 2, 3].map(() => ensureFirstOwner(database, owner)));
  expect(made.filter((one) => one !== null)).toEqual([{ email: "owner@example.com", password: "correct horse" }]);
  expect(await ensureFirstOwner(database, { email: "other@example.com" })).toBeNull();
  const [user] = await sql<{ hash: string }[]>`select password_hash as hash from users`;
  expect(user!.hash).not.toContain("correct");
  expect(await isPassword("correct horse", user!.hash)).toBe(true);
  expect(await isPassword("correct house", user!.hash)).toBe(false);
});

test("a password is generated, and an address is unique regardless of case", async () => {
  const { slug } = await testProject(database);
  const ann = await createUser(database, { email: "Ann@Example.com", role: "Editor", projectSlug: slug });
  expect(ann).toEqual({ email: "ann@example.com", password: expect.stringMatching(/^[\w-]{20}$/) });
  await expect(createUser(database, { email: "ANN@example.com", role: "Viewer" })).rejects.toThrow("already a user");
  const [membership] =
    await sql`select m.role, p.slug from memberships m join users u on u.id = m.user_id left join projects p on p.id = m.project_id where u.email = 'ann@example.com'`;
  expect({ ...membership }).toEqual({ role: "Editor", slug });
});

test("a person made beside the database is in the log of each project that they can access", async () => {
  const { slug } = await testProject(database);
  const { slug: sibling } = await testProject(database);
  const log = async (project: string) =>
    (
      await sql<{ line: string }[]>`
        select concat_ws(' ', a.actor, a.action, a.subject_kind, a.subject_key, a.difference ->> 0) as line
        from audit_log a join projects p on p.id = a.project_id where p.slug = ${project} and a.subject_key like 'new-%' order by a.id`
    ).map(({ line }) => line);
  await createUser(database, { email: "new-bob@example.com", role: "Editor", liveRole: "Viewer", projectSlug: slug });
  const entry = "command line create member new-bob@example.com";
  expect(await log(slug)).toEqual([expect.stringMatching(`^${entry} .*"Editor"`)]);
  expect(await log(sibling)).toEqual([]);
});

test("all problems of a new person are reported together", async () => {
  const created = createUser(database, { email: "nobody", role: "Owner", projectSlug: "nothing-here" });
  await expect(created).rejects.toMatchObject({ problems: ['"nobody" is not an email address.', 'There is no project "nothing-here".'] });
});
