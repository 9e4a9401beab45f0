import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,bench,db,scripts,server,e2e/v1,e2e/journeys}/**/*.test.ts"],
    globalSetup: ["./db/testing/server.ts"],
    // Two cores, shared with PostgreSQL: more only get in each other's way.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
