import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Binaries, refusal } from "./binaries.ts";
import { handOver, launchProgram, type Launch } from "./launch.ts";

/** The files of one embedded database: PostgreSQL's own in `data`, beside them the password and the log. */
export interface Cluster {
  directory: string;
  data: string;
  password: string;
  log: string;
}

export const SUPERUSER = "postgres";

/**
 * The database's files, created on first use, by one process at a time. They get a temporary name and are renamed when complete, so that a
 * crash never leaves half a database. With `isDurable` they also survive a crash of the machine.
 */
export async function openCluster(directory: string, binaries: Binaries, launch: Launch, isDurable = true): Promise<Cluster> {
  if (!existsSync(directory)) await createCluster(directory, binaries, launch, isDurable);
  const data = join(directory, "data");
  const version = readOwn(join(data, "PG_VERSION"));
  if (version !== binaries.version) throw refusal(`${data} holds files of PostgreSQL ${version}, this is ${binaries.version}`);
  handOver(launch, directory);
  return { directory, data, password: readOwn(join(directory, "password")), log: join(directory, "postgres.log") };
}

function readOwn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw refusal(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}), perhaps because it belongs to another user`);
  }
}

async function createCluster(directory: string, binaries: Binaries, launch: Launch, isDurable: boolean): Promise<void> {
  removeUnfinished(directory);
  const making = `${directory}.new-${process.pid}`;
  const data = join(making, "data");
  const passwordFile = join(making, "password");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(24).toString("base64url") + "\n", { mode: 0o600 });
  try {
    handOver(launch, making);
    await initialise(binaries, launch, data, [...(isDurable ? [] : ["--no-sync"]), "--pwfile", passwordFile]);
    renameSync(making, directory);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

async function initialise(binaries: Binaries, launch: Launch, data: string, options: readonly string[]): Promise<void> {
  const args = ["--pgdata", data, "--username", SUPERUSER, ...options, "--auth", "scram-sha-256"];
  // The C locale sorts and compares the same on every machine; UTF8 takes every script.
  const child = launchProgram(launch, binaries.initdb, [...args, "--encoding=UTF8", "--locale=C", "--no-instructions"], "pipe");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw refusal(`its files could not be made in ${data}:\n${output.trim()}\n`);
}

/** Removes the leftovers of processes that were killed while creating a database. */
function removeUnfinished(directory: string): void {
  const prefix = `${basename(directory)}.new-`;
  for (const name of readdirSync(dirname(directory)).filter((entry) => entry.startsWith(prefix)))
    rmSync(join(dirname(directory), name), { recursive: true, force: true });
}
