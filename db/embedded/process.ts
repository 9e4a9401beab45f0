import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Whether the process of this id is a server on these files. False for a zombie, and if the id now belongs to another process, even another
 * PostgreSQL.
 */
export function isServerOf(data: string, pid: number): boolean {
  return commandLine(pid).includes(` -D ${data} `);
}

function commandLine(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
  } catch {
    return "";
  }
}
