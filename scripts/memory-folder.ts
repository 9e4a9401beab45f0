import { readFileSync, statfsSync } from "node:fs";
import { availableMemory } from "node:process";

const MEMORY = "/dev/shm";
/** The free bytes to require; `npm test` needs a fraction of them. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Tests keep their temporary files in memory, if there is room and TMPDIR is not set. Each test file has its own database, of hundreds of
 * files: creating and deleting them on a disk took a quarter of the CPU seconds of tests.
 */
export function keepFilesInMemory(): void {
  if (process.env["TMPDIR"] === undefined && hasRoom()) process.env["TMPDIR"] = MEMORY;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // Containers often forbid running programs from there, as the tests of the packages do.
    const options = readFileSync("/proc/mounts", "utf8")
      .match(new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, "m"))?.[1]
      ?.split(",");
    return options?.includes("noexec") === false && bavail * bsize > MIN_FREE_BYTES && availableMemory() > 2 * MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
