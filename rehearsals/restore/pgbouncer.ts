import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chooseLaunch, handOver, launchProgram } from "../../db/embedded/launch.ts";
import { endProcess, hasExited, steadyPort } from "../../e2e/programs.ts";
import postgres from "postgres";

const START_MS = 30_000;

/** The path of PgBouncer where packages install it; null if it is not installed. */
export const findPgBouncer = (): string | null =>
  ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find(existsSync) ?? null;

/**
 * PgBouncer in transaction mode in front of a server: few sessions serve many clients, none of which has its own. Other settings are the
 * defaults, so that it rejects unknown session parameters.
 */
export async function startPgBouncer(program: string, databaseUrl: string) {
  const server = new URL(databaseUrl);
  // Not in the temporary folder of a test run, which another user may not enter.
  const folder = mkdtempSync("/tmp/engagement-pgbouncer-");
  const port = await steadyPort();
  // An empty one would be a syntax error.
  const password = server.password === "" ? "" : ` password=${decodeURIComponent(server.password)}`;
  const config = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${server.hostname} port=${server.port} user=${server.username}${password}`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any", "pool_mode = transaction"],
    ...["default_pool_size = 12", "max_client_conn = 500", "server_idle_timeout = 2"],
  ];
  writeFileSync(config, lines.join("\n"));
  const launch = chooseLaunch(program);
  handOver(launch, folder);
  const said = join(folder, "said");
  const output = openSync(said, "w");
  const child = launchProgram(launch, program, [config], ["ignore", output, output]);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.search = "?pgbouncer=true";
  const direct = new URL(url);
  direct.search = "";
  const isRunning = () => !hasExited(child);
  const close = async (): Promise<void> => {
    await endProcess(child, "SIGINT");
    rmSync(folder, { recursive: true, force: true });
  };
  const until = performance.now() + START_MS;
  for (let failure: unknown = null; ; await delay(50)) {
    if (!isRunning() || performance.now() > until) {
      const what = isRunning() ? "did not answer in time" : "ended";
      const lines = readFileSync(said, "utf8").trimEnd().split("\n").slice(-10);
      await close();
      throw new Error(`PgBouncer ${what}. The end of its log:\n${lines.join("\n")}`, { cause: failure });
    }
    const sql = postgres(direct.href, { max: 1, prepare: false, fetch_types: false, connect_timeout: 2 });
    try {
      await sql`select 1`;
      break;
    } catch (error) {
      failure = error;
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  return { url: url.href, close };
}
