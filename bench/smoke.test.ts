import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { FIGURES } from "./figures.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

test("every figure measures something, and verifies its own results", { timeout: 900_000 }, async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [MAIN, "--smoke"], { env: { ...process.env, NODE_ENV: "production" } });
  const working = [...stderr.matchAll(/^([a-z-]+) works: \d+ checks$/gm)].map(([, figure]) => figure);
  expect(working.toSorted()).toEqual(Object.keys(FIGURES).toSorted());
});
