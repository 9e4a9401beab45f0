import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openDatabase } from "../../db/client.ts";
import { migrateDatabase } from "../../db/migrate.ts";
import { functionsOf, hashOfScripts, migrationTags, readServed, writeServed } from "../../db/testing/old-code.ts";
import { startDurableDatabase } from "../crash/durable.ts";
import { rehearseUpgrade } from "./rehearse-upgrade.ts";
import { checkMadeUp, checkOut, makeUp } from "./versions.ts";

/**
 * `npm run rehearse:upgrade [-- --from <commit>] [--to <commit>] [--made-up] [--seconds n]`: rehearses docs/upgrading.md, from the version
 * that db/served.json names to the files of this checkout. With `--made-up` it upgrades the last commit to a made-up version whose
 * migrations change every hot table. Exits 1 if a request failed or the books differ. `--record` instead notes the present commit in
 * db/served.json.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: {
    from: { type: "string" },
    to: { type: "string" },
    "made-up": { type: "boolean", default: false },
    seconds: { type: "string", default: "20" },
    record: { type: "boolean", default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), "engagement-upgrade-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const isMadeUp = values["made-up"];
await (values.record
  ? record()
  : rehearse(values.from ?? (isMadeUp ? "HEAD" : readServed().commit), values.to ?? (isMadeUp ? "HEAD" : null)));
process.exit();

/** Rehearses the upgrade from a commit to another one, or to the files of this checkout (null). */
async function rehearse(from: string, to: string | null): Promise<void> {
  const older = join(folder, "older");
  const newer = to === null ? ROOT : join(folder, "newer");
  if (!checkOut(from, older) || (to !== null && !checkOut(to, newer))) {
    console.log(`Skipped: this is no checkout that has ${to === null ? from : `${from} and ${to}`} in its history.`);
    return;
  }
  if (isMadeUp) makeUp(older, newer);
  const flowMs = (Number(values.seconds) * 1000) / 6;
  const onStep = (line: string) => console.log(line);
  const check = isMadeUp ? checkMadeUp : async () => [];
  const { answers, differences } = await rehearseUpgrade({ older, newer, folder: join(folder, "database"), flowMs, onStep, check });
  console.log([`from ${from}: ${answers} requests were answered`, `differences: ${differences.length}`, ...differences].join("\n"));
  if (differences.length > 0) process.exitCode = 1;
}

async function record(): Promise<void> {
  const server = await startDurableDatabase({ folder: join(folder, "database") });
  await migrateDatabase(server.url);
  const database = openDatabase(server.url, { connections: 1 });
  writeServed({
    commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
    migration: migrationTags().at(-1)!,
    scripts: hashOfScripts(),
    functions: await functionsOf(database.sql),
  });
  await database.close();
  await server.stop();
}
