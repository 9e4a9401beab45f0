import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,bench,db,e2e,scripts,server}/**/*.test.ts"],
    globalSetup: ["./db/testing/server.ts"],
    // Two cores, shared with PostgreSQL: more only get in each other's way.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
