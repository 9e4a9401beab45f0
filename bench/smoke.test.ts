import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { FIGURES } from "./figures.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

/**
 * Figures that together use everything that figures can start: a server, workers, a receiver, pages, fills of tables and each kind of
 * reference. All figures take three CPU minutes, so `npm run bench -- --smoke` tries the others before a release.
 */
const TRIED = ["ingest", "sustained-in-play", "board-read", "webhooks", "dashboard-scripts"];

test("figures measure something, and verify their own results", { timeout: 900_000 }, async () => {
  expect(TRIED.filter((figure) => !Object.hasOwn(FIGURES, figure))).toEqual([]);
  const settings = ["--smoke", "--only", TRIED.join(",")];
  const { stderr } = await promisify(execFile)(process.execPath, [MAIN, ...settings], { env: { ...process.env, NODE_ENV: "production" } });
  const working = [...stderr.matchAll(/^([a-z-]+) works: \d+ checks$/gm)].map(([, figure]) => figure);
  expect(working.toSorted()).toEqual(TRIED.toSorted());
});
