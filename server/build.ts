import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withFileLock } from "../db/embedded/file-lock.ts";
import { Refused } from "./kernel/refused.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** What the build was made from; written last. */
const STAMP = join(ROOT, ".next/made-from");
const LOCK = join(ROOT, "node_modules/.pages-lock");
const SOURCES = ["app", "public", "server", "db"];
const SINGLE_SOURCES = ["proxy.ts", "next.config.ts", "postcss.config.mjs", "tsconfig.json", "package-lock.json"];

/** Builds the pages unless they were built from the present sources; one process at a time. Throws Refused with what the build said. */
export const buildPages = (): Promise<void> => withFileLock(LOCK, buildIfStale);

async function buildIfStale(): Promise<void> {
  const sources = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return;
  process.stderr.write("Building the pages …\n");
  const build = spawn(process.execPath, [join(ROOT, "node_modules/next/dist/bin/next"), "build"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [build.stdout, build.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(build, "close")) as [number | null];
  if (code !== 0) throw new Refused(`The pages could not be built:\n${said.trim()}`);
  writeFileSync(STAMP, sources);
}

/** One hash over everything that the pages are made of; file times say nothing after a checkout. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const inFolders = SOURCES.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/[.](test[.]tsx?|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const path of [...inFolders.sort(), ...SINGLE_SOURCES.map((name) => join(ROOT, name))])
    hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}
