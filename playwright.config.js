import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";
import { keepFilesInMemory } from "./scripts/memory-folder.ts";

keepFilesInMemory();

// Node keeps the service's compiled code for the next start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // Each worker has a service of its own. A browser waits for much of its time, so two fit on two cores.
  workers: 2,
  timeout: 120_000,
  // No test depends on speed: on a busy machine background work takes half a minute.
  expect: { timeout: 45_000 },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    // Without animations, no test has to wait for one to end.
    contextOptions: { reducedMotion: "reduce" },
    // Recording the page at each step costs half as much CPU again (13 ms a step): TRACE=on keeps the traces of failed tests.
    trace: process.env["TRACE"] === "on" ? { mode: "retain-on-failure", screenshots: false, sources: false } : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findChromium() ?? undefined,
      // The browser may run as root and without a graphics card, and sends no requests of its own.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // The pages of a browser share a process, and so its compiled code.
        "--renderer-process-limit=1",
        // A page lives for seconds: its scripts never earn back the two optimizing compilers, which take a seventh of the CPU of all tests.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
});
