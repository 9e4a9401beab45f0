import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withFileLock } from "#db/embedded/file-lock.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Fingerprint of the built sources; written last. */
const STAMP = join(ROOT, ".next/made-from");
const LOCK = join(ROOT, "node_modules/.pages-lock");
const SOURCES = ["app", "web", "public", "server", "db"];
const SINGLE_SOURCES = [
  "proxy.ts",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "next.config.ts",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];

/** Whether the pages were built from the present sources. */
export const arePagesBuilt = (): boolean => isStampOf(fingerprint());

const isStampOf = (sources: string): boolean => existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources;

/**
 * Builds the pages unless they match the present sources; one process at a time. Aborting `leaving` ends the build and all its processes.
 * Existing pages are used without the lock: the image is read-only. Throws OperatorError with the build's output.
 */
export async function buildPages(leaving?: AbortSignal): Promise<void> {
  const sources = fingerprint();
  if (!isStampOf(sources)) await withFileLock(LOCK, () => buildIfStale(sources, leaving), leaving);
}

async function buildIfStale(sources: string, leaving?: AbortSignal): Promise<void> {
  if (isStampOf(sources)) return;
  if (leaving?.aborted) throw new OperatorError(LEFT);
  process.stderr.write("Building the pages …\n");
  const { code, said } = await runToEnd([DIE_WITH_PARENT, join(ROOT, "node_modules/next/dist/bin/next"), "build"], leaving);
  if (leaving?.aborted) throw new OperatorError(LEFT);
  if (code !== 0) throw new OperatorError(`The pages could not be built:\n${said.trim()}`);
  writeFileSync(STAMP, sources);
}

const LEFT = "The pages were not built: the process was stopped.";

/** A single argument, so that it can be removed from the options that the build's own processes inherit. */
export const DIE_WITH_PARENT = `--import=${join(ROOT, "server/process/pages/die-with-parent.ts")}`;

/** Grace period for an interrupted build. */
const ENDING_MS = 500;

/**
 * Runs Node.js with these arguments until it ends, and returns its output. It leads its own process group, so that `leaving` ends its
 * children as well: the terminal's signal does not reach it, ours does.
 */
export async function runToEnd(args: readonly string[], leaving?: AbortSignal): Promise<{ code: number | null; said: string }> {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe", "ipc"], detached: true });
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const isOver = once(child, "close") as Promise<[number | null]>;
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // The whole group has ended.
    }
  };
  const atOnce = () => kill("SIGKILL");
  let patience: NodeJS.Timeout | undefined;
  const leave = () => {
    kill("SIGTERM");
    patience = setTimeout(atOnce, ENDING_MS);
  };
  leaving?.addEventListener("abort", leave, { once: true });
  // A process that exits without waiting still ends the build.
  process.once("exit", atOnce);
  try {
    const [code] = await isOver;
    return { code, said };
  } finally {
    clearTimeout(patience);
    leaving?.removeEventListener("abort", leave);
    process.off("exit", atOnce);
  }
}

/** One hash over all sources of the pages; file times mean nothing after a checkout. */
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
