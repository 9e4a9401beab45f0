import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testDatabaseUrl } from "../../db/testing.ts";

const PROGRAM = fileURLToPath(new URL("migrate.ts", import.meta.url));
const { PATH, NODE_COMPILE_CACHE } = process.env;
const migrate = (environment: Record<string, string>) =>
  spawnSync(process.execPath, [PROGRAM], { env: { PATH, NODE_COMPILE_CACHE, NODE_ENV: "test", ...environment }, encoding: "utf8" });

test("a deployment migrates its database, and stops with a clear message without one", async () => {
  expect(migrate({ DATABASE_URL: await testDatabaseUrl() })).toMatchObject({ status: 0, stderr: "" });
  const refused = migrate({});
  expect([refused.status, refused.stderr.trim().split("\n")]).toEqual([1, [expect.stringMatching(/^DATABASE_URL must be set/)]]);
});
