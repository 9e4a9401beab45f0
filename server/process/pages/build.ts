import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withFileLock } from "#db/embedded/file-lock.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The sources of the build; written last. */
const STAMP = join(ROOT, ".next/made-from");
const LOCK = join(ROOT, "node_modules/.pages-lock");
const SOURCES = ["app", "web", "public", "server", "db"];
const SINGLE_SOURCES = ["proxy.ts", "next.config.ts", "postcss.config.mjs", "tsconfig.json", "package-lock.json"];

/** Whether they were built from the present sources. */
export const arePagesBuilt = (): boolean => isStampOf(fingerprint());

const isStampOf = (sources: string): boolean => existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources;

/**
 * Builds the pages unless they were built from the present sources; one process at a time. Once `leaving` is aborted the build is
 * ended, with all that it has started. Pages that are there are used without the lock: in the image nothing can be written.
 * Throws OperatorError with what the build said.
 */
export async function buildPages(leaving?: AbortSignal): Promise<void> {
  const sources = fingerprint();
  if (!isStampOf(sources)) await withFileLock(LOCK, () => buildIfStale(sources, leaving));
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

/** One argument, which the programs that the build starts can leave out. */
export const DIE_WITH_PARENT = `--import=${join(ROOT, "server/process/pages/die-with-parent.ts")}`;

/** How long an interrupted build may take to end. */
const ENDING_MS = 500;

/**
 * Runs Node.js with these arguments until it ends, and answers what it said. It leads a group of its own, so that `leaving` ends
 * what it has started as well: the signal of a terminal does not reach it, ours does.
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
      // All of them have ended.
    }
  };
  const atOnce = () => kill("SIGKILL");
  let patience: NodeJS.Timeout | undefined;
  const leave = () => {
    kill("SIGTERM");
    patience = setTimeout(atOnce, ENDING_MS);
  };
  leaving?.addEventListener("abort", leave, { once: true });
  // A process that exits without waiting still takes the build along.
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
