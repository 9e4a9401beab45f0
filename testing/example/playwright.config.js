import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import root from "../../playwright.config.js";

/** The service is started once for the run; each worker creates its own project in it. More of them would only compete for two cores. */
export default defineConfig({
  testDir: ".",
  // In a project of your own: "engagement-service/testing/setup".
  globalSetup: "../setup.ts",
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [["list"]],
  use: {
    ...root.use,
    trace: "off",
    engagementOptions: { definitions: fileURLToPath(new URL("engagement.json", import.meta.url)) },
  },
});
