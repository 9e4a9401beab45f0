import { readdirSync, readFileSync } from "node:fs";

/** Linux counts the CPU of processes in hundredths of a second, on every machine that Node.js runs on. */
const US_PER_TICK = 10_000;

/** One process, from /proc/<pid>/stat. */
export interface ProcessStat {
  pid: number;
  parent: number;
  /** CPU in microseconds: its own, and that of its ended children and theirs. */
  cpuUs: number;
}

/** The name is in brackets and may itself contain spaces and brackets, so fields are counted after the last one. */
export function parseStat(text: string): ProcessStat {
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [utime = 0, stime = 0, ofChildren = 0, stimeOfChildren = 0] = fields.slice(11, 15);
  return { pid: Number.parseInt(text, 10), parent: fields[1] ?? 0, cpuUs: (utime + stime + ofChildren + stimeOfChildren) * US_PER_TICK };
}

/** CPU that the whole machine has used since it started, in microseconds, without idle time and waiting for disks. */
export function parseMachineCpu(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] =
    /^cpu (.*)$/m.exec(stat)?.[1]?.trim().split(" ").map(Number) ?? [];
  return (user + nice + system + irq + softIrq + steal) * US_PER_TICK;
}

/** CPU of these process trees, including their ended processes. A process in two trees counts once. */
export function cpuOfTrees(processes: readonly ProcessStat[], roots: readonly number[]): number {
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const own = new Map(processes.map((process) => [process.pid, process]));
  const seen = new Set<number>();
  const pending = [...roots];
  let sum = 0;
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    sum += own.get(pid)?.cpuUs ?? 0;
    pending.push(...(children.get(pid) ?? []).map((child) => child.pid));
  }
  return sum;
}

/** The text of a file of /proc; null if it cannot be read, as on other systems than Linux. */
export function readProc(file: string): string | null {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return null;
  }
}

/** Every process of the machine; none where there is no /proc. */
function allProcesses(): ProcessStat[] {
  if (readProc("stat") === null) return [];
  return readdirSync("/proc").flatMap((name) => {
    const text = /^\d+$/.test(name) ? readProc(`${name}/stat`) : null;
    return text === null ? [] : [parseStat(text)];
  });
}

/** CPU of these processes and their descendants, in microseconds; null if unknown. */
export function cpuUsOf(...roots: number[]): number | null {
  const processes = allProcesses();
  return processes.length === 0 ? null : cpuOfTrees(processes, roots);
}

/**
 * CPU of Node.js processes, in microseconds; null if unknown. This process counts without its children, since it has also started
 * PostgreSQL and other measured processes; every other one counts with them.
 */
export function nodeCpuUsOf(...pids: number[]): number | null {
  const others = pids.filter((pid) => pid !== process.pid);
  const ofOthers = cpuUsOf(...others);
  if (ofOthers === null || others.length === pids.length) return ofOthers;
  const { user, system } = process.cpuUsage();
  return ofOthers + user + system;
}

/** Counts the CPU that other programs use on this machine; `own` are the root processes of the measured trees. */
export class Others {
  readonly #startedAt = performance.now();
  readonly #before = machineCpu();
  readonly #own: () => number[];
  #ownBefore: number | null;

  constructor(own: () => number[]) {
    this.#own = own;
    this.#ownBefore = cpuUsOf(...own());
  }

  /** Cores that other programs used on average since the start; null if unknown. */
  cores(): number | null {
    const [now, own] = [machineCpu(), cpuUsOf(...this.#own())];
    if (now === null || own === null || this.#before === null || this.#ownBefore === null) return null;
    const us = now - this.#before - (own - this.#ownBefore);
    return Math.max(0, us / 1000 / (performance.now() - this.#startedAt));
  }
}

function machineCpu(): number | null {
  const stat = readProc("stat");
  return stat === null ? null : parseMachineCpu(stat);
}
