import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.mjs";

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // Each worker has a service of its own. A browser waits for much of its time, so two fit on two cores.
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
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
      ],
    },
  },
});
