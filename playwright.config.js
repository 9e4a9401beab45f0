import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";
import { keepFilesInMemory } from "./scripts/memory-folder.ts";

keepFilesInMemory();

// What Node has read of the service, kept for the next start of it.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url));

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // Each worker has a service of its own. A browser waits for much of its time, so two fit on two cores.
  workers: 2,
  timeout: 120_000,
  // Nothing is judged by its speed: background work on a machine that others keep busy takes half a minute.
  expect: { timeout: 45_000 },
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    // What moves is waited for; nothing is looked at while it does.
    contextOptions: { reducedMotion: "reduce" },
    // What the page was at each step takes half as much CPU again for every step (13 ms): TRACE=on keeps it of a test that fails.
    trace: process.env["TRACE"] === "on" ? { mode: "retain-on-failure", screenshots: false, sources: false } : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findChromium() ?? undefined,
      // Runs as root and without a graphics card; asks nothing of any host.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Pages of one browser share a process, and what it has compiled.
        "--renderer-process-limit=1",
        // A page lives for seconds: compiling it with care, by either compiler, costs a seventh of the CPU of all tests and is never earned
        // back.
        "--js-flags=--no-opt --no-maglev",
      ],
    },
  },
});
