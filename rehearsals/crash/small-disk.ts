import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverIn } from "./durable.ts";

const PREFIX = "engagement-faults-";
const FILES = "data";
const MEGABYTES = 1024;

/** A folder for a run, if possible on a separate disk that is small enough to be filled. */
export interface SmallDisk {
  folder: string;
  /** Why it is not a separate disk; null if it is. */
  refusal: string | null;
  fill(): void;
  /** Frees it again. */
  relieve(): void;
  remove(): void;
}

/** Mounts a tmpfs, which needs root. Mounts of killed runs are removed. */
export function mountSmallDisk(): SmallDisk {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) if (!isRunning(name)) unmount(join(tmpdir(), name));
  const disk = join(tmpdir(), PREFIX + process.pid);
  mkdirSync(disk);
  let refusal: string | null = null;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES}m`, "tmpfs", disk], { stdio: "pipe" });
  } catch (error) {
    refusal = (error as Error).message.trim().split("\n").at(-1) ?? "mount failed";
  }
  const ballast = join(disk, "ballast");
  return {
    folder: join(disk, FILES),
    refusal,
    fill() {
      const file = openSync(ballast, "w");
      try {
        for (let size = 1 << 24; size >= 1 << 12;) {
          try {
            writeSync(file, Buffer.alloc(size));
          } catch {
            size >>= 1;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    relieve: () => rmSync(ballast, { force: true }),
    remove: () => unmount(disk),
  };
}

const isRunning = (name: string): boolean => {
  try {
    return readFileSync(`/proc/${name.slice(PREFIX.length)}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
};

function unmount(disk: string): void {
  serverIn(join(disk, FILES)).remove();
  try {
    execFileSync("umount", ["-l", disk], { stdio: "pipe" });
  } catch {
    // It was never mounted.
  }
  rmSync(disk, { recursive: true, force: true });
}
