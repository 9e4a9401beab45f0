import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isBusy, parseLoad, parseMemory } from "./machine.ts";
import { cpuOfTrees, cpuUsOf, nodeCpuUsOf, parseMachineCpu, parseStat } from "./proc.ts";

test("a process's CPU includes its ended children, whatever its name contains", () => {
  const rest = "S 812 1 1 0 -1 4194304 10 20 0 0 150 25 300 5 20 0 1 0 99 1 1";
  expect(parseStat(`4321 (postgres: (io) 1 2) ${rest}`)).toEqual({ pid: 4321, parent: 812, cpuUs: 4_800_000 });
});

test("the machine's CPU excludes idle time and waiting for disks", () => {
  expect(parseMachineCpu("cpu  10 1 20 9000 700 3 4 2 0 0\ncpu0 5 0 10 4500 350 1 2 1 0 0\n")).toBe(400_000);
});

test("all processes of a tree are counted, and a process in two trees only once", () => {
  const process = (pid: number, parent: number) => ({ pid, parent, cpuUs: pid });
  const all = [process(1, 0), process(10, 1), process(11, 10), process(12, 10), process(20, 1), process(21, 20)];
  expect(cpuOfTrees(all, [10])).toBe(33);
  expect(cpuOfTrees(all, [10, 11, 20])).toBe(74);
  expect(cpuOfTrees(all, [99])).toBe(0);
});

test.runIf(process.platform === "linux")("the CPU of child processes is not counted as this process's own", () => {
  const before = [nodeCpuUsOf(process.pid), cpuUsOf(process.pid)];
  spawnSync(process.execPath, ["--eval", "while (process.cpuUsage().user < 300_000);"]);
  const [own, tree] = [nodeCpuUsOf(process.pid), cpuUsOf(process.pid)].map((after, at) => after! - before[at]!);
  expect(tree! - own!).toBeGreaterThan(100_000);
});

test("load and memory are parsed from Linux's format", () => {
  expect(parseLoad("23.33 20.00 15.10 5/812 4711\n")).toBe(23.33);
  const meminfo = "MemTotal:       24683520 kB\nMemFree:          123 kB\nMemAvailable:   19553280 kB\n";
  expect(parseMemory(meminfo, "MemAvailable")).toBe(20_022_558_720);
  expect(parseMemory("", "MemTotal")).toBeNull();
});

test("other load causes a warning above a share of the cores", () => {
  expect([isBusy(0.2, 2), isBusy(0.4, 2), isBusy(0.4, 8), isBusy(null, 2)]).toEqual([false, true, false, false]);
});
