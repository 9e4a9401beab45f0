import { defineConfig } from "vitest/config";

const SHARED = {
  // Two cores, shared with PostgreSQL: more only get in each other's way.
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    ...SHARED,
    projects: [
      {
        test: {
          ...SHARED,
          name: "service",
          include: ["{bench,db,e2e,scripts,server}/**/*.test.ts"],
          globalSetup: ["./db/testing/server.ts"],
          // As the service itself runs: Node reads the types away. A third less of importing than through Vite.
          experimental: { viteModuleRunner: false },
        },
      },
      // Screens have JSX, which Node does not read.
      { test: { ...SHARED, name: "screens", include: ["app/**/*.test.ts"] } },
    ],
  },
});
