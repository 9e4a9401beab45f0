import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Whether a process of this id runs. One that has ended but that nobody has waited for (a zombie) does not. */
export function isAlive(pid: number): boolean {
  return nameOf(pid) !== null;
}

export function isPostgres(pid: number): boolean {
  return nameOf(pid)?.startsWith("postgres") ?? false;
}

/** The program that runs under this id; null if none does. */
function nameOf(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === "linux" ? nameFromProc(pid) : nameFromPs(pid);
}

function nameFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    const state = stat[end + 2];
    return state === "Z" || state === "X" ? null : stat.slice(stat.indexOf("(") + 1, end);
  } catch {
    return null;
  }
}

function nameFromPs(pid: number): string | null {
  const { stdout } = spawnSync("ps", ["-o", "state=,ucomm=", "-p", String(pid)], { encoding: "utf8" });
  const [state, name] = (stdout ?? "").trim().split(/\s+/, 2);
  return state && !state.startsWith("Z") && name ? name : null;
}
