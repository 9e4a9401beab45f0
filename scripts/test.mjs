// npm test: the build of the pages, unit and integration tests on a real PostgreSQL, the check beside them, and browser tests in a real Chromium.
// Its last line is the sum over all of them: `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.mjs";
import { ensureChromium } from "./chromium.mjs";
import { run } from "./run.mjs";

const reports = mkdtempSync(join(tmpdir(), "engagement-reports-"));
const totals = [];
// Tests spend much of their time waiting: the check finishes beside the first of them what it did not finish beside the build.
const told = [];
const checking = check({ tell: (line) => told.push(line), yields: true });
// Its own output names the failure.
checking.catch(() => {});
await part("Build of the pages", build);
await part("Unit and integration tests", unitTests);
await part("Check", checked);
await part("Browser tests", () => browserTests("browser"));
// Starts a service of its own, whatever service the terminal is configured for.
await part("Example of the testing kit", () =>
  browserTests("example", ["--config=testing/example/playwright.config.js"], { ENGAGEMENT_URL: "", ENGAGEMENT_TOKEN: "" }),
);
rmSync(reports, { recursive: true, force: true });
const sum = (key) => totals.reduce((total, one) => total + one[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;

async function part(title, work) {
  console.log(`\n— ${title}\n`);
  try {
    totals.push(await work());
  } catch (error) {
    console.error(error);
    totals.push({ passed: 0, failed: 1 });
  }
}

/** Builds the pages once, here: later the tests that need them would wait for each other. */
async function build() {
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const { succeeded, said, seconds } = await run(process.execPath, ["scripts/build-pages.mjs"], { env });
  console.log(`${succeeded ? "✓" : "✗"} build of the pages (${seconds} s)`);
  if (!succeeded) console.log(said.trimEnd().replace(/^/gm, "    "));
  return { passed: Number(succeeded), failed: Number(!succeeded) };
}

async function checked() {
  const result = await checking;
  for (const line of told) console.log(line);
  return result;
}

async function unitTests() {
  const report = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { succeeded } = await run("node_modules/.bin/vitest", ["run", ...reporters], { shows: true });
  const { numPassedTests = 0, numFailedTests = 0 } = read(report);
  return totalOf(succeeded, numPassedTests, numFailedTests);
}

async function browserTests(name, options = [], settings = {}) {
  const chromium = ensureChromium();
  if (!chromium) return { passed: 0, failed: 1 };
  const report = join(reports, `${name}.json`);
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...settings };
  const { succeeded } = await run("node_modules/.bin/playwright", ["test", ...options, "--reporter=list,json"], { shows: true, env });
  const { expected = 0, unexpected = 0, flaky = 0 } = read(report).stats ?? {};
  return totalOf(succeeded, expected, unexpected + flaky);
}

/** A runner that fails without a failed test (a file that does not load, a set-up error) counts as one failure. */
function totalOf(succeeded, passed, failed) {
  return { passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return {};
  }
}
