import { test as base, type TestAPI } from "vitest";
import { type Engagement, type EngagementOptions, openEngagement } from "./kit.ts";

export { expect } from "vitest";
export type { Engagement, EngagementOptions, Player, WebhookMessage } from "./kit.ts";

/** Vitest's `test` with an engagement project per file; deleted when the file ends. */
export function engagementTest(options: EngagementOptions = {}): TestAPI<{ engagement: Engagement }> {
  return base.extend<{ engagement: Engagement }>({
    engagement: [
      async ({}, use: (engagement: Engagement) => Promise<void>) => {
        const engagement = await openEngagement(options);
        await use(engagement);
        await engagement.close();
      },
      { scope: "file" },
    ],
  }) as unknown as TestAPI<{ engagement: Engagement }>;
}

/** The same without options. */
export const test = engagementTest();
