import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Whether the process of this id is a server on these files. It is not if it is a zombie, or if the id has gone to another process, be it
 * another PostgreSQL.
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
