import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase, testDatabaseUrl } from "#db/testing.ts";
import { openPassage } from "../../../rehearsals/alerts/passage.ts";
import { MIGRATION_LOCK } from "#db/migrate.ts";
import { TEST_AUTH_SECRET } from "../../delivery/testing.ts";
import { until } from "#db/testing/work.ts";

const PATIENCE_MS = 120_000;

test(
  "a process is alive but not ready while the database is migrated or unreachable, and ready again after",
  { timeout: PATIENCE_MS },
  async () => {
    const { sql } = await testDatabase();
    // Something is missing, or the worker would not wait.
    await sql`delete from drizzle.functions`;
    const { url, cut, close } = await openPassage(await testDatabaseUrl());
    onTestFinished(close);
    const { promise: migrated, resolve: endMigration } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLock } = Promise.withResolvers<void>();
    const migration = sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      hasLock();
      await migrated;
    });
    await locked;
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const settings = { DATABASE_URL: url, AUTH_SECRET: TEST_AUTH_SECRET, OPERATIONS_PORT: String(port), LOG_LEVEL: "silent" };
    const worker = spawn(process.execPath, ["server/process/worker.ts"], {
      env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...settings } as never,
      stdio: "ignore",
    });
    onTestFinished(() => void worker.kill("SIGKILL"));
    const why = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).text();
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.status;

    await until(async () => (await ask("/live")) === 200);
    expect(await ask("/ready"), "while it waits for the migration").toBe(503);
    endMigration();
    await migration;
    await until(async () => (await ask("/ready")) === 200);
    cut(true);
    await until(async () => (await ask("/ready")) === 503);
    expect(await ask("/live")).toBe(200);
    expect(await why()).toContain("\nreason: the database ");
    cut(false);
    await until(async () => (await ask("/ready")) === 200);
  },
);
