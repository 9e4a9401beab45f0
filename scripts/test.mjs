// npm test: builds the pages, then runs the unit and integration tests on a real PostgreSQL and, beside them, the check and the browser
// tests in a real Chromium. Ends with the failures, each with its reason, and the sum of all parts: `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { check } from "./check.mjs";
import { ensureChromium } from "./chromium.mjs";
import { run } from "./run.mjs";

const reports = mkdtempSync(join(tmpdir(), "engagement-reports-"));
const totals = [];
/** The failures, printed last, since only the end of a long output may be kept. */
const failures = [];
/** Lines of a stack trace outside this project. */
const IN_LIBRARIES = /^ +at .*(node_modules|node:).*\n?/gm;
const MAX_FAILURE_LENGTH = 1_200;
const MAX_PAGE_LENGTH = 2_400;
const MAX_FAILURES_LENGTH = 12_000;
// The check and the installation of a browser start beside the build; the check continues beside the tests. Tests spend a sixth of their
// time waiting, whatever the number of workers, so unit and browser tests run side by side. Output is buffered until its part begins.
const lines = [];
const checking = check({ tell: (line) => lines.push(line), yields: true });
// The check's own output reports the failure.
checking.catch(() => {});
const installing = ensureChromium();
await part("Build of the pages", build);
const [screen, example] = [keepOutput(), keepOutput()];
const browsing = browserTests("browser", { tell: screen.tell });
// The browser tests end first. The example starts a service of its own, whatever service the terminal is configured for.
const trying = browsing
  .catch(() => {})
  .then(() =>
    browserTests("example", {
      options: ["--config=testing/example/playwright.config.js"],
      settings: { ENGAGEMENT_URL: "", ENGAGEMENT_TOKEN: "" },
      tell: example.tell,
    }),
  );
// Each part reports its own failure.
for (const tests of [browsing, trying]) tests.catch(() => {});
await part("Unit and integration tests", unitTests);
await part("Check", checked);
await part("Browser tests", () => {
  screen.show();
  return browsing;
});
await part("Example of the testing kit", () => {
  example.show();
  return trying;
});
rmSync(reports, { recursive: true, force: true });
tellFailures();
const sum = (key) => totals.reduce((total, one) => total + one[key], 0);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;

async function part(title, work) {
  console.log(`\n— ${title}\n`);
  try {
    totals.push(await work());
  } catch (error) {
    failures.push({ name: title, reason: String(error?.stack ?? error) });
    totals.push({ passed: 0, failed: 1 });
  }
}

/** Builds the pages once, here: later the tests that need them would wait for each other. */
async function build() {
  const env = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const { succeeded, said, seconds } = await run(process.execPath, ["scripts/build-pages.mjs"], { env });
  console.log(`${succeeded ? "✓" : "✗"} build of the pages (${seconds} s)`);
  if (!succeeded) failures.push({ name: "build of the pages", reason: said });
  return { passed: Number(succeeded), failed: Number(!succeeded) };
}

async function checked() {
  const result = await checking;
  for (const line of lines) console.log(line);
  if (result.failed > 0) failures.push({ name: "npm run check", reason: lines.filter((line) => !line.startsWith("✓")).join("\n") });
  return result;
}

async function unitTests() {
  const report = join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { succeeded } = await run("node_modules/.bin/vitest", ["run", ...reporters], { shows: true });
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = read(report);
  for (const { name: file, status, message, assertionResults } of testResults) {
    const name = relative(process.cwd(), file);
    const failed = assertionResults.filter((one) => one.status === "failed");
    for (const one of failed) failures.push({ name: `${name} › ${one.fullName}`, reason: one.failureMessages.join("\n") });
    if (status === "failed" && failed.length === 0) failures.push({ name, reason: message });
  }
  return totalOf(succeeded, numPassedTests, numFailedTests);
}

/** Buffers output until `show` is called, then writes it directly. */
function keepOutput() {
  const kept = [];
  let write = (output) => kept.push(output);
  return {
    tell: (output) => write(output),
    show() {
      write = (output) => process.stdout.write(output);
      for (const output of kept) write(output);
    },
  };
}

async function browserTests(name, { tell, options = [], settings = {} }) {
  const chromium = await installing;
  if (!chromium) return { passed: 0, failed: 1 };
  const report = join(reports, `${name}.json`);
  // Node.js strips the types: Playwright's own compiler would take three seconds of each run.
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PW_DISABLE_TS_ESM: "1", ...settings };
  const { succeeded } = await run("node_modules/.bin/playwright", ["test", ...options, "--reporter=list,json"], { tell, env });
  const { stats: { expected = 0, unexpected = 0, flaky = 0 } = {}, suites = [], errors = [] } = read(report);
  for (const { message } of errors) failures.push({ name: `${name} tests`, reason: message ?? "" });
  for (const spec of suites.flatMap(specsOf)) {
    if (spec.ok) continue;
    const results = spec.tests.flatMap((one) => one.results);
    const found = results.flatMap((result) => result.errors);
    const pages = results.flatMap(({ attachments }) => attachments.filter((one) => one.name === "page"));
    failures.push({
      name: `${spec.file}:${spec.line} › ${spec.title}`,
      reason: found.map((one) => one.message).join("\n"),
      pages: pages.map(({ body }) => Buffer.from(body, "base64").toString()),
    });
  }
  return totalOf(succeeded, expected, unexpected + flaky);
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

function tellFailures() {
  if (failures.length === 0) return;
  console.log(`\n— Failed\n`);
  const share = Math.min(1, MAX_FAILURES_LENGTH / failures.length / (MAX_FAILURE_LENGTH + MAX_PAGE_LENGTH));
  for (const { name, reason, pages = [] } of failures) {
    const words = stripVTControlCharacters(reason)
      .replace(IN_LIBRARIES, "")
      .trim()
      .slice(0, MAX_FAILURE_LENGTH * share);
    // Dialogs are last on a page.
    const shown = pages.map((page) => `The page showed at last: ${page.slice(-MAX_PAGE_LENGTH * share)}`);
    console.log(`✗ ${name}\n${[words, ...shown].join("\n").replace(/^/gm, "    ")}\n`);
  }
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
