import { expect, test } from "vitest";
import { revokeKeys, testDatabase, testProject } from "#db/testing.ts";
import { advanceClock, bumpDefinitionsVersion } from "../projects/environments.ts";
import { authenticate as authenticateKey, findKeysTogether, keyHash } from "./authenticate.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const authenticate = async (key: string) => authenticateKey(sql, keyHash(`Bearer ${key}`));

test("a key opens its own environment, and only its hash is kept", async () => {
  const { slug, sandbox, live, sandboxKey, liveKey } = await testProject(database, { timeZone: "Asia/Tokyo", defaultLanguage: "nl" });
  expect((await authenticate(sandboxKey)).environment).toEqual(sandbox);
  expect((await authenticate(liveKey)).environment).toEqual(live);
  expect(sandbox).toMatchObject({ kind: "sandbox", projectSlug: slug, timeZone: "Asia/Tokyo", defaultLanguage: "nl", clockOffsetMs: 0 });
  const rows = await sql`select api_keys::text as row from api_keys where environment_id = ${sandbox.id}`;
  expect(rows[0]!.row).not.toContain(sandboxKey.slice(9, 60));
});

test("now is the database's clock plus the offset of the Sandbox clock", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  const { now } = await authenticate(sandboxKey);
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  await sql.begin((tx) => advanceClock(tx, sandbox.id, 3_600_000));
  const later = await authenticate(sandboxKey);
  expect(later.now - now).toBeGreaterThanOrEqual(3_600_000);
  expect(later.environment.clockOffsetMs).toBe(3_600_000);
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

test("concurrent requests share a query, and each is answered for its own key", async () => {
  const { sandbox, live, sandboxKey, liveKey } = await testProject(database);
  let queries = 0;
  const counting = new Proxy(sql, { apply: (target, self, of) => (queries++, Reflect.apply(target, self, of) as unknown) });
  const findKey = findKeysTogether(counting);
  const ask = async (key: string) => (await authenticateKey(sql, keyHash(`Bearer ${key}`), findKey)).environment.id;
  const unknown = `svc_live_${"0".repeat(64)}`;
  const answers = await Promise.allSettled([sandboxKey, liveKey, unknown, sandboxKey].map(ask));
  expect(answers.map((answer) => (answer.status === "fulfilled" ? answer.value : (answer.reason as { code: string }).code))).toEqual([
    sandbox.id,
    live.id,
    "auth.api_key_invalid",
    sandbox.id,
  ]);
  expect(queries).toBe(1);
  await revokeKeys(database, live, "test");
  await expect(ask(liveKey)).rejects.toMatchObject({ code: "auth.api_key_invalid" });
  expect(queries).toBe(2);
});

test("a request that arrives during a query does not use its result, and a query that hangs delays no other request", async () => {
  const { live, liveKey } = await testProject(database);
  const { promise: hang, resolve: goOn } = Promise.withResolvers<void>();
  let queries = 0;
  // The first query has read its row, but its result never arrives.
  const slow = new Proxy(sql, {
    apply(target, self, of) {
      const query = Reflect.apply(target, self, of) as Promise<unknown>;
      return ++queries > 1 ? query : query.then((rows) => hang.then(() => rows));
    },
  });
  const findKey = findKeysTogether(slow);
  const ask = async () => (await authenticateKey(sql, keyHash(`Bearer ${liveKey}`), findKey)).environment.id;
  const first = ask();
  await expect.poll(() => queries).toBe(1);
  await revokeKeys(database, live, "test");
  await expect(ask()).rejects.toMatchObject({ code: "auth.api_key_invalid" });
  goOn();
  expect(await first).toBe(live.id);
});

test("an unreachable database fails all requests that share the query, and none after them", async () => {
  const { sandbox, sandboxKey } = await testProject(database);
  let isOut = true;
  const failing = new Proxy(sql, {
    apply(target, self, of) {
      if (isOut) throw new Error("out of reach");
      return Reflect.apply(target, self, of) as unknown;
    },
  });
  const findKey = findKeysTogether(failing);
  const ask = async () => (await authenticateKey(sql, keyHash(`Bearer ${sandboxKey}`), findKey)).environment.id;
  const answers = await Promise.allSettled([ask(), ask()]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isOut = false;
  expect(await ask()).toBe(sandbox.id);
});
