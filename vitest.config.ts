import { defineConfig } from "vitest/config";

const SHARED = {
  // Two cores, shared with PostgreSQL: more only get in each other's way.
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

const SERVICE = {
  ...SHARED,
  globalSetup: ["./db/testing/server.ts"],
  // As the service itself runs: Node reads the types away. A third less of importing than through Vite.
  experimental: { viteModuleRunner: false },
};

/** These files put modules of their own in place of the service's (`vi.mock`). */
const MOCKING = ["open-links", "people", "sign-in"].map((name) => `server/identity/${name}.test.ts`);

export default defineConfig({
  test: {
    ...SHARED,
    projects: [
      {
        test: {
          ...SERVICE,
          name: "service",
          include: ["{bench,db,e2e,scripts,server,testing}/**/*.test.ts"],
          exclude: MOCKING,
          // Files share their worker's modules: importing them anew for each file took two fifths of the time.
          isolate: false,
        },
      },
      { test: { ...SERVICE, name: "mocking", include: MOCKING } },
      // Screens have JSX, which Node does not read.
      { test: { ...SHARED, name: "screens", include: ["app/**/*.test.ts"] } },
    ],
  },
});
