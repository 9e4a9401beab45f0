import { spawn } from "node:child_process";
import { once } from "node:events";
import { findCitus, startCluster } from "./cluster.ts";
import { DELIBERATE } from "./deliberate.ts";
import { readLog, LOG_SETTINGS } from "./fan-out.ts";

/**
 * npm run citus: runs the HTTP tests, crashes and the dashboard's procedures against a coordinator and two workers, and then the tests that
 * have clusters of their own. Fails if a test fails, or if a statement goes to several shards without being listed (deliberate.ts), fetches a
 * whole table or is refused. Single test files: npm run citus -- e2e/v1/points.test.ts.
 */
const FILES = [
  "e2e/v1",
  "e2e/journeys/concurrency.test.ts",
  "e2e/journeys/crash-settling.test.ts",
  "e2e/journeys/crash-statements.test.ts",
  "e2e/journeys/crash-workers.test.ts",
  "server/api/access.test.ts",
  "server/api/rpc/leaderboards.test.ts",
  "server/game/leaderboards/service/cut-ranges.test.ts",
  "server/game/leaderboards/service/hide.test.ts",
  "server/game/leaderboards/store/standings.test.ts",
  "server/game/marketplace/all-purchases.test.ts",
  "server/game/marketplace/together.test.ts",
  "server/game/players/hand.test.ts",
  "server/game/players/timeline.test.ts",
  "server/insight/analytics/concurrency.test.ts",
];
const programs = findCitus();
if (programs === null) {
  console.log("Skipped: there is no PostgreSQL with Citus here. Install it where pg_config finds it, or set PG_CONFIG.");
} else {
  // The cluster and the tests end with this process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const settings = { ...LOG_SETTINGS, fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
  const cluster = await startCluster(programs, settings, { lateMs: 20 });
  const shared = { DATABASE_URL: cluster.url, TEST_DATABASE_URL: cluster.url, TEST_DATABASE_SHARED: "1" };
  try {
    const nodes = cluster.workers.flatMap(({ host, port }) => ["--worker", `${host}:${port}`]);
    const coordinator = `${cluster.coordinator.host}:${cluster.coordinator.port}`;
    if (
      (await run(["server/process/cli.ts", "scale", "distribute", "--coordinator", coordinator, "--shards", "4", ...nodes], shared)) !== 0
    )
      throw new Error("The database was not distributed.");
    const isWhole = process.argv.length === 2;
    const files = isWhole ? FILES : process.argv.slice(2);
    process.exitCode = await test(files, shared);
    const { fanOuts, fetched, refused } = await readLog(cluster.log);
    const unlisted = fanOuts.filter(({ reason }) => reason === null);
    console.log(`${fanOuts.length} statements were sent to several shards, ${unlisted.length} of them not on the list.`);
    for (const { text, count } of unlisted) console.log(`\n${count} × ${text}`);
    for (const line of fetched) console.log(`\nFetches a whole table: ${line}`);
    for (const line of refused) console.log(`\nRefused: ${line}`);
    if (isWhole) for (const has of DELIBERATE.map((one) => one.has).filter(isUnused)) console.log(`\nOn the list, and not sent: ${has}`);
    if (unlisted.length + fetched.length + refused.length > 0) process.exitCode = 1;

    function isUnused(has: string): boolean {
      return !fanOuts.some(({ text }) => text.includes(has));
    }
    if (isWhole && (await test(["rehearsals/citus"], { REHEARSAL: "citus" })) !== 0) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }

  function test(files: readonly string[], env: Record<string, string>): Promise<number> {
    return run(["node_modules/vitest/vitest.mjs", "run", "--project", "service", ...files], env);
  }

  async function run(args: string[], env: Record<string, string>): Promise<number> {
    const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...env } });
    const end = () => child.kill();
    process.once("exit", end);
    const [code] = (await once(child, "exit")) as [number | null];
    process.off("exit", end);
    return code ?? 1;
  }
}
