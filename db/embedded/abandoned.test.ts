import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { removeAbandoned, removeDatabase } from "./abandoned.ts";

vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  return { ...fs, rmSync: vi.fn(fs.rmSync) };
});

test("the temporary database of a process that is gone is removed, that of a running one stays", () => {
  const prefix = `engagement-abandoned-${process.pid}-`;
  const [gone, running] = [`${spawnSync("true").pid}-abc`, String(process.pid)].map((name) => join(tmpdir(), prefix + name));
  for (const folder of [gone!, running!]) mkdirSync(folder);
  onTestFinished(() => removeDatabase(running!));
  removeAbandoned(prefix);
  expect([gone!, running!].map((folder) => existsSync(folder))).toEqual([false, true]);
});

test("a leftover of another user, which may not be removed, stops neither the start nor the removal of the others", () => {
  const prefix = `engagement-foreign-${process.pid}-`;
  const folders = ["a", "b"].map((name) => join(tmpdir(), `${prefix}${spawnSync("true").pid}-${name}`));
  for (const folder of folders) mkdirSync(folder);
  onTestFinished(() => folders.forEach(removeDatabase));
  vi.mocked(rmSync).mockImplementationOnce(() => {
    throw new Error("EACCES: permission denied");
  });
  removeAbandoned(prefix);
  expect(folders.filter((folder) => existsSync(folder))).toHaveLength(1);
});
