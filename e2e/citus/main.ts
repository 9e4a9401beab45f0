import { spawn } from "node:child_process";
import { once } from "node:events";
import { findCitus, startCluster } from "./cluster.ts";
import { fanOuts } from "./fan-out.ts";

/**
 * npm run citus: the HTTP tests against a coordinator and two workers. It fails where a test does, or where a statement is sent to several
 * shards that is not on the list (deliberate.ts). Test files may be named: npm run citus -- e2e/v1/points.test.ts.
 */
const programs = findCitus();
if (programs === null) {
  console.log("Skipped: there is no PostgreSQL with Citus here. Install it where pg_config finds it, or set PG_CONFIG.");
} else {
  const cluster = await startCluster(programs, { fsync: "off", synchronous_commit: "off", full_page_writes: "off" });
  const env = { ...process.env, DATABASE_URL: cluster.url, TEST_DATABASE_URL: cluster.url, TEST_DATABASE_SHARED: "1" };
  try {
    const nodes = cluster.workers.flatMap(({ host, port }) => ["--worker", `${host}:${port}`]);
    const coordinator = `${cluster.coordinator.host}:${cluster.coordinator.port}`;
    if ((await run(["server/cli/main.ts", "scale", "distribute", "--coordinator", coordinator, "--shards", "4", ...nodes])) !== 0)
      throw new Error("The database was not distributed.");
    const files = process.argv.length > 2 ? process.argv.slice(2) : ["e2e/v1"];
    // One file at a time: they share a database, and so the limit of requests. Audits copy each environment, which takes its time.
    const options = ["--project", "service", "--maxWorkers", "1", "--testTimeout", "60000", "--hookTimeout", "600000"];
    process.exitCode = await run(["node_modules/vitest/vitest.mjs", "run", ...options, ...files]);
    const found = fanOuts(cluster.log);
    const unlisted = found.filter(({ reason }) => reason === null);
    console.log(`${found.length} statements were sent to several shards, ${unlisted.length} of them not on the list.`);
    for (const { text, count } of unlisted) console.log(`\n${count} × ${text}`);
    if (unlisted.length > 0) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }

  async function run(args: string[]): Promise<number> {
    const child = spawn(process.execPath, args, { stdio: "inherit", env });
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  }
}
