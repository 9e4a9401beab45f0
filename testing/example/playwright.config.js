import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import root from "../../playwright.config.js";

/** The service is started once for the run; each of the four workers makes a project of its own in it. */
export default defineConfig({
  testDir: ".",
  // Elsewhere: "engagement-service/testing/setup".
  globalSetup: "../setup.ts",
  workers: 4,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    ...root.use,
    trace: "off",
    engagementOptions: { definitions: fileURLToPath(new URL("engagement.json", import.meta.url)) },
  },
});
