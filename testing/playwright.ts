import { test as base } from "@playwright/test";
import { type Engagement, type EngagementOptions, openEngagement } from "./kit.ts";

export { expect } from "@playwright/test";
export type { Engagement, EngagementOptions, Player, WebhookMessage } from "./kit.ts";

interface WorkerFixtures {
  /** What the project of each worker begins with: `test.use({ engagementOptions: { definitions: "engagement.json" } })`. */
  engagementOptions: EngagementOptions;
  /** A project of the worker's own: its players, its clock, its webhooks. Removed when the worker is through. */
  engagement: Engagement;
}

/** Playwright's `test` with a project of the engagement service for each worker. */
export const test = base.extend<object, WorkerFixtures>({
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
