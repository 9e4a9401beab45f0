import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in these. */
const TICKS_PER_SECOND = 100;

/** The processor time that a process, its children and those it has waited for have used, in microseconds. Linux only. */
export function cpuMicros(pid: number): number {
  const own = ticksOf(pid, true);
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
  return ((own + children.reduce((sum, child) => sum + ticksOf(child, false), 0)) * 1_000_000) / TICKS_PER_SECOND;
}

function ticksOf(pid: number, withWaitedFor: boolean): number {
  const fields = fieldsOf(pid);
  return fields.slice(11, withWaitedFor ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
}

const parentOf = (pid: number): number => Number(fieldsOf(pid)[1] ?? 0);

/** The fields of /proc/<pid>/stat from the state on; none of a process that has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
