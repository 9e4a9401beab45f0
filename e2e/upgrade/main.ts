import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../../db/client.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { functionsOf, migrationTags, readServed, writeServed } from "../../db/served.ts";
import { startDurableDatabase } from "../crash/durable.ts";
import { rehearseUpgrade } from "./rehearse-upgrade.ts";

/**
 * `npm run rehearse:upgrade [-- --from <commit>] [--seconds n]`: docs/upgrading.md, tried from the version that db/served.json names. Exit 1
 * where a request failed or something is not as it should be. `--record` instead notes the present commit as that version.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: { from: { type: "string" }, seconds: { type: "string", default: "20" }, record: { type: "boolean", default: false } },
});
const folder = mkdtempSync(join(tmpdir(), "engagement-upgrade-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
await (values.record ? record() : rehearse(values.from ?? readServed().commit));
process.exit();

async function rehearse(commit: string): Promise<void> {
  const older = join(folder, "older");
  mkdirSync(older);
  try {
    execFileSync("tar", ["-x", "-C", older], { input: execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 }) });
  } catch {
    console.log(`Skipped: this is no checkout that has the commit ${commit} in its history.`);
    return;
  }
  // The older version runs with the modules of this one.
  symlinkSync(join(ROOT, "node_modules"), join(older, "node_modules"));
  const flowMs = (Number(values.seconds) * 1000) / 6;
  const onStep = (line: string) => console.log(line);
  const { answers, differences } = await rehearseUpgrade({ older, folder: join(folder, "database"), flowMs, onStep });
  console.log([`from ${commit}: ${answers} requests were answered`, `differences: ${differences.length}`, ...differences].join("\n"));
  if (differences.length > 0) process.exitCode = 1;
}

async function record(): Promise<void> {
  const server = await startDurableDatabase({ folder: join(folder, "database") });
  await migrateDatabase(server.url);
  const database = openDatabase(server.url, { connections: 1 });
  writeServed({
    commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
    migration: migrationTags().at(-1)!,
    functions: await functionsOf(database.sql),
  });
  await database.close();
  await server.stop();
}
