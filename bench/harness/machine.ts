import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { BenchDatabase } from "./database.ts";
import { readProc } from "./proc.ts";
import { round } from "./statistics.ts";

/** The state of the machine before the measurements. */
export interface Machine {
  cores: number;
  /** The load average of the last minute; null if unknown. */
  load: number | null;
  /** Available memory in bytes; null if unknown. */
  freeMemory: number | null;
  memory: number | null;
  /** Rows of about 250 bytes that one COPY from a file writes per second. */
  copyRowsPerSecond: number;
  /** Blocks of 8 KiB that can be written and synced per second, one after the other. */
  fsyncsPerSecond: number;
  node: string;
  postgres: string;
}

export const parseLoad = (loadavg: string): number => Number.parseFloat(loadavg);

/** The bytes in a line of /proc/meminfo. */
export const parseMemory = (meminfo: string, name: "MemTotal" | "MemAvailable"): number | null => {
  const kilobytes = new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(meminfo)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
};

export async function readMachine(server: BenchDatabase): Promise<Machine> {
  // Read before the database works, since that is load of our own.
  const [loadavg, meminfo] = [readProc("loadavg"), readProc("meminfo") ?? ""];
  return {
    cores: availableParallelism(),
    load: loadavg === null ? null : parseLoad(loadavg),
    freeMemory: parseMemory(meminfo, "MemAvailable"),
    memory: parseMemory(meminfo, "MemTotal"),
    copyRowsPerSecond: Math.round(await copyRate(server)),
    fsyncsPerSecond: Math.round(fsyncRate(server.files)),
    node: process.version,
    postgres: await server.version(),
  };
}

const ROWS = 200_000;

/** Copies into a table with an index on its id, like the figures' references. */
async function copyRate(server: BenchDatabase): Promise<number> {
  const { sql, close } = await server.create("bench_machine");
  const file = join(server.files, "machine.txt");
  await sql.unsafe(`copy (select gen_random_uuid(), repeat('x', 230) from generate_series(1, ${ROWS})) to '${file}'`);
  await sql`create table copied (id uuid primary key, content text not null)`;
  const started = performance.now();
  await sql.unsafe(`copy copied from '${file}'`);
  const rate = (ROWS * 1000) / (performance.now() - started);
  await close();
  return rate;
}

const FSYNC_MS = 1_000;

function fsyncRate(folder: string): number {
  const file = openSync(join(folder, "fsync"), "w");
  const block = Buffer.alloc(8192, "x");
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < FSYNC_MS) {
    writeSync(file, block, 0, block.length, 0);
    fdatasyncSync(file);
    count++;
  }
  closeSync(file);
  return (count * 1000) / (performance.now() - started);
}

/** Above this share of the cores, other load causes a warning. */
const BUSY = 0.15;

export const isBusy = (busyCores: number | null, cores: number): boolean => busyCores !== null && busyCores > cores * BUSY;

const gigabytes = (bytes: number | null): string => (bytes === null ? "unknown" : `${round(bytes / 1e9)} GB`);

export function describeMachine(machine: Machine): string {
  const { cores, load, freeMemory, memory, copyRowsPerSecond, fsyncsPerSecond, node, postgres } = machine;
  const words = [
    `${cores} cores, load ${load ?? "unknown"}, ${gigabytes(freeMemory)} of ${gigabytes(memory)} free`,
    `COPY ${round(copyRowsPerSecond)} rows/s, ${round(fsyncsPerSecond)} fsyncs/s, Node ${node}, PostgreSQL ${postgres}`,
  ];
  if (isBusy(load, cores))
    words.push(
      `The machine is busy: ${load} processes share ${cores} cores. Ratios scatter and rates are too low; CPU and WAL per event are still right.`,
    );
  return words.join("\n");
}
