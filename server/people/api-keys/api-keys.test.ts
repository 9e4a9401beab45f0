import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { authenticate, keyHash } from "./authenticate.ts";
import { COMMAND_LINE } from "../../model/kernel/environment.ts";
import { createApiKey, revokeApiKey } from "./api-keys.ts";

const database = await testDatabase();
const opens = (key: string) => authenticate(database.sql, keyHash(`Bearer ${key}`));

test("a key is shown once; afterwards only its prefix, last four characters and last use are visible", async () => {
  const { slug, sandbox } = await testProject(database);
  const { rpc } = await signedIn(database, slug, "Admin");
  const scope = { project: slug, environment: "sandbox" as const };
  const { key } = await rpc.keys.create({ ...scope, name: " Backend " });
  expect((await opens(key)).environment.id).toBe(sandbox.id);
  await expect.poll(async () => (await rpc.keys.list(scope))[0]!.lastUsedAt).not.toBeNull();
  const [listed, other] = await rpc.keys.list(scope);
  expect(listed).toMatchObject({ name: "Backend", hint: `svc_sbox_…${key.slice(-4)}`, revokedAt: null });
  expect(other).toMatchObject({ name: "test", lastUsedAt: null });
  expect(JSON.stringify(await rpc.keys.list(scope))).not.toContain(key.slice(9, 40));
});

test("a revoked key fails from the next request on, keys of the same name stay valid, and another environment's key cannot be revoked", async () => {
  const { slug, sandbox } = await testProject(database);
  const { rpc } = await signedIn(database, slug, "Admin");
  const scope = { project: slug, environment: "sandbox" as const };
  const [one, two] = [await createApiKey(database, sandbox, "ci"), await createApiKey(database, sandbox, "ci")];
  const { id } = (await rpc.keys.list(scope)).find(({ hint }) => hint.endsWith(one.slice(-4)))!;
  await expect(rpc.keys.revoke({ ...scope, environment: "live", id })).rejects.toThrow("no such active key");
  await rpc.keys.revoke({ ...scope, id });
  await expect(opens(one)).rejects.toMatchObject({ code: "auth.api_key_invalid" });
  expect((await opens(two)).environment.id).toBe(sandbox.id);
  await expect(rpc.keys.revoke({ ...scope, id })).rejects.toThrow("revoked it already");
});

test("Editors and Viewers see only the hints of keys, and can neither create nor revoke one", async () => {
  const { slug, sandboxKey } = await testProject(database);
  const scope = { project: slug, environment: "sandbox" as const };
  for (const role of ["Editor", "Viewer"] as const) {
    const { rpc } = await signedIn(database, slug, role);
    const [key] = await rpc.keys.list(scope);
    await expect(rpc.keys.create({ ...scope, name: "mine" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(rpc.keys.revoke({ ...scope, id: key!.id })).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
  await opens(sandboxKey);
});

test("the audit log says who created and revoked a key, from the command line too, and never contains the key", async () => {
  const { slug, live } = await testProject(database);
  const { rpc, email } = await signedIn(database, slug, "Owner");
  const { key } = await rpc.keys.create({ project: slug, environment: "live", name: "shop" });
  const keys = await rpc.keys.list({ project: slug, environment: "live" });
  await revokeApiKey(database, live, keys.find(({ name }) => name === "shop")!.id, COMMAND_LINE);
  const { entries } = await rpc.auditLog.list({ project: slug, environment: "live", subjectKind: "apiKey", subjectKey: "shop" });
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    ["command line", "revoke"],
    [email, "create"],
  ]);
  expect(entries[1]!.changes).toEqual([{ path: "key", before: null, after: `"svc_live_…${key.slice(-4)}"` }]);
  expect(JSON.stringify(entries)).not.toContain(key.slice(9, 40));
});

test("an environment has at most a hundred valid keys, even with concurrent requests; all of them are listed", async () => {
  const { slug, sandbox } = await testProject(database);
  const { rpc } = await signedIn(database, slug, "Admin");
  await database.sql`
    insert into api_keys (environment_id, name, hash, hint, created_at, revoked_at)
    select ${sandbox.id}, 'more', sha256(convert_to(n || ' of ' || ${slug}::text, 'UTF8')), 'svc_sbox_…more', now() - interval '1 day',
      case when n > 97 then now() end
    from generate_series(1, 700) n`;
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => createApiKey(database, sandbox, "last")));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const listed = await rpc.keys.list({ project: slug, environment: "sandbox" });
  expect([listed.length, listed.filter(({ revokedAt }) => revokedAt === null).length]).toEqual([500, 100]);
});
