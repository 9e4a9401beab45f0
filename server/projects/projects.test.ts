import { expect, test } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { authenticate as authenticateKey, keyHash } from "../api-keys/authenticate.ts";
import { createApiKey } from "../api-keys/create.ts";
import { createUser } from "../identity/create-user.ts";
import { ensureFirstOwner } from "../identity/ensure-first-owner.ts";
import { Refused } from "../kernel/refused.ts";
import { isPassword } from "../identity/passwords.ts";
import { advanceClock, bumpDefinitionsVersion } from "./change-environment.ts";
import { findEnvironment, loadEnvironment } from "./find-environment.ts";
import * as projects from "./create.ts";
import { revokeApiKey } from "../api-keys/revoke.ts";

const database = await testDatabase();
const { sql } = database;

const settings = (slug: string) => ({ slug, name: slug, defaultLanguage: "en", timeZone: "UTC" });
const authenticate = async (key: string) => authenticateKey(sql, keyHash(`Bearer ${key}`));
const organizationOf = async (slug: string) => (await findEnvironment(database, slug, "live")).organizationId;

test("the first owner and the first organization come once, however many processes start", async () => {
  const owner = { email: "Owner@Example.com", password: "correct horse" };
  const made = await Promise.all([1, 2, 3].map(() => ensureFirstOwner(database, owner)));
  expect(made.filter((one) => one !== null)).toEqual([{ email: "owner@example.com", password: "correct horse" }]);
  expect(await ensureFirstOwner(database, { email: "other@example.com" })).toBeNull();
  const [user] = await sql<{ hash: string }[]>`select password_hash as hash from users`;
  expect(user!.hash).not.toContain("correct");
  expect(await isPassword("correct horse", user!.hash)).toBe(true);
  expect(await isPassword("correct house", user!.hash)).toBe(false);
});

test("a project goes to the first organization, unless another is named, which is made if it is new", async () => {
  await projects.createProject(database, settings("one"));
  await projects.createProject(database, settings("two"), "second-org");
  await projects.createProject(database, settings("three"), "second-org");
  await projects.createProject(database, settings("four"));
  expect(await organizationOf("four")).toBe(await organizationOf("one"));
  expect(await organizationOf("three")).toBe(await organizationOf("two"));
  expect(await organizationOf("two")).not.toBe(await organizationOf("one"));
});

test("a slug is taken once, also by two at the same time", async () => {
  const results = await Promise.allSettled([1, 2, 3].map(() => projects.createProject(database, settings("twice"))));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const [environments] =
    await sql`select count(*)::int as count from environments e join projects p on p.id = e.project_id where p.slug = 'twice'`;
  expect(environments!.count).toBe(2);
});

test("a key opens its own environment, and only its hash is kept", async () => {
  const { slug, sandbox, live, sandboxKey, liveKey } = await testProject(database, { timeZone: "Asia/Tokyo", defaultLanguage: "nl" });
  expect((await authenticate(sandboxKey)).environment).toEqual(sandbox);
  expect((await authenticate(liveKey)).environment).toEqual(live);
  expect(sandbox).toMatchObject({ kind: "sandbox", projectSlug: slug, timeZone: "Asia/Tokyo", defaultLanguage: "nl", clockOffsetMs: 0 });
  const rows = await sql`select api_keys::text as row from api_keys where environment_id = ${sandbox.id}`;
  expect(rows[0]!.row).not.toContain(sandboxKey.slice(9, 60));
});

test("now is the database's clock, moved as far as the Sandbox clock", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  const { now } = await authenticate(sandboxKey);
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  await sql.begin((tx) => advanceClock(tx, sandbox.id, 3_600_000));
  const later = await authenticate(sandboxKey);
  expect(later.now - now).toBeGreaterThanOrEqual(3_600_000);
  expect(later.environment.clockOffsetMs).toBe(3_600_000);
});

test("a clock does not move back, and Live's not at all", async () => {
  const { sandbox, live } = await testProject(database);
  await sql.begin((tx) => advanceClock(tx, sandbox.id, 1000));
  await expect(sql.begin((tx) => advanceClock(tx, sandbox.id, 999))).rejects.toThrow(Refused);
  await expect(sql.begin((tx) => advanceClock(tx, live.id, 1000))).rejects.toThrow(Refused);
});

test("a changed definition shows in the version of the next request", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  expect(await sql.begin((tx) => bumpDefinitionsVersion(tx, sandbox.id))).toBe(1);
  expect((await authenticate(sandboxKey)).environment.definitionsVersion).toBe(1);
  expect((await loadEnvironment(sql, sandbox.id))?.definitionsVersion).toBe(1);
});

test("a key notes its use, at most once a minute", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  const lastUsed = async () => {
    const [row] = await sql<{ at: string | null }[]>`select last_used_at::text as at from api_keys where environment_id = ${sandbox.id}`;
    return row!.at;
  };
  expect(await lastUsed()).toBeNull();
  await authenticate(sandboxKey);
  await expect.poll(lastUsed).not.toBeNull();
  const first = await lastUsed();
  await authenticate(sandboxKey);
  await sql`update api_keys set last_used_at = last_used_at - interval '2 minutes' where environment_id = ${sandbox.id}`;
  await authenticate(sandboxKey);
  await expect.poll(async () => (await lastUsed())! >= first!).toBe(true);
});

test("revoking a name revokes every key of that name in that environment, and tells when there is none", async () => {
  const { sandbox, live } = await testProject(database);
  const keys = [await createApiKey(database, sandbox, "ci"), await createApiKey(database, sandbox, "ci")];
  const other = await createApiKey(database, live, "ci");
  expect(await revokeApiKey(database, sandbox, "ci")).toBe(2);
  for (const key of keys) await expect(authenticate(key)).rejects.toMatchObject({ code: "auth.api_key_invalid" });
  expect((await authenticate(other)).environment.id).toBe(live.id);
  await expect(revokeApiKey(database, sandbox, "ci")).rejects.toThrow('no key named "ci"');
});

test("a person's password is generated, an address is taken once in any case", async () => {
  const { slug } = await testProject(database);
  const ann = await createUser(database, { email: "Ann@Example.com", role: "Editor", projectSlug: slug });
  expect(ann).toEqual({ email: "ann@example.com", password: expect.stringMatching(/^[\w-]{20}$/) });
  await expect(createUser(database, { email: "ANN@example.com", role: "Viewer" })).rejects.toThrow("already a user");
  const [membership] =
    await sql`select m.role, p.slug from memberships m join users u on u.id = m.user_id left join projects p on p.id = m.project_id where u.email = 'ann@example.com'`;
  expect({ ...membership }).toEqual({ role: "Editor", slug });
});

test("every problem of a new person is told at once", async () => {
  const created = createUser(database, { email: "nobody", role: "Owner", projectSlug: "nothing-here" });
  await expect(created).rejects.toMatchObject({ problems: ['"nobody" is not an e-mail address.', 'There is no project "nothing-here".'] });
});
