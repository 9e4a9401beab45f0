import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeAbandoned, removeDatabase } from "./abandoned.ts";

test("the temporary database of a process that is gone is removed, that of a running one stays", () => {
  const prefix = `engagement-abandoned-${process.pid}-`;
  const [gone, running] = [`${spawnSync("true").pid}-abc`, String(process.pid)].map((name) => join(tmpdir(), prefix + name));
  for (const folder of [gone!, running!]) mkdirSync(folder);
  onTestFinished(() => removeDatabase(running!));
  removeAbandoned(prefix);
  expect([gone!, running!].map((folder) => existsSync(folder))).toEqual([false, true]);
});
