import {
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestType,
} from "@playwright/test";
import { type Engagement, type EngagementOptions, openEngagement } from "./kit.ts";

export { expect } from "@playwright/test";
export type { Engagement, EngagementOptions, Player, WebhookMessage } from "./kit.ts";

interface WorkerFixtures {
  /** Initial options of each worker's project: `test.use({ engagementOptions: { definitions: "engagement.json" } })`. */
  engagementOptions: EngagementOptions;
  /** A project for each worker, with its players, clock and webhooks. Deleted when the worker ends. */
  engagement: Engagement;
}

/** Playwright's `test` with a project of the engagement service for each worker. */
export const test: TestType<PlaywrightTestArgs & PlaywrightTestOptions, PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures> =
  base.extend<object, WorkerFixtures>({
    engagementOptions: [{}, { option: true, scope: "worker" }],
    engagement: [
      async ({ engagementOptions }, use) => {
        const engagement = await openEngagement(engagementOptions);
        await use(engagement);
        await engagement.close();
      },
      { scope: "worker" },
    ],
  });
