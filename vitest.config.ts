import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { keepFilesInMemory } from "./scripts/memory-folder.ts";

keepFilesInMemory();

/** Runs long files first: at the end, one would keep one worker busy while the other is idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/(e2e\/(journeys|docs)|rehearsals)\/|\/bench\/smoke/.test(moduleId);
    return (await super.sort(files)).toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}

/** `npm run citus`: all files share one distributed database, and so its limit of concurrent requests. Audits copy it, which takes long. */
const isShared = process.env["TEST_DATABASE_SHARED"] !== undefined;

const SHARED = {
  // The two cores are shared with PostgreSQL: more workers would only compete for them.
  maxWorkers: isShared ? 1 : 2,
  // No test depends on speed, and the machine may be busy: only a stuck test reaches these limits.
  testTimeout: 120_000,
  hookTimeout: isShared ? 600_000 : 120_000,
  expect: { poll: { timeout: 60_000 } },
  // The values in a failed assertion's message, which are otherwise cut to 40 characters.
  chaiConfig: { truncateThreshold: 2_000 },
};

const SERVICE = {
  ...SHARED,
  globalSetup: ["./db/testing/server.ts"],
  setupFiles: ["./db/testing/compile-cache.ts", "./server/api/testing/quick-hashing.ts"],
  // Node strips the types, as when the service runs. Importing takes a third less time than through Vite.
  experimental: { viteModuleRunner: false },
};

/** These files replace modules of the service (`vi.mock`). */
const MOCKING = ["open-links", "people", "sign-in"].map((name) => `server/people/identity/${name}.test.ts`);

export default defineConfig({
  test: {
    ...SHARED,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...SERVICE,
          name: "service",
          include: ["{bench,db,e2e,rehearsals,scripts,server,testing}/**/*.test.ts"],
          exclude: MOCKING,
          // Files share their worker's modules: importing them anew for each file took two fifths of the time.
          isolate: false,
        },
      },
      { test: { ...SERVICE, name: "mocking", include: MOCKING } },
      // Screens have JSX, which Node does not read. They share modules as well: 9 CPU seconds instead of 23.
      { test: { ...SHARED, name: "screens", include: ["{app,web}/**/*.test.ts"], isolate: false } },
    ],
  },
});
