import { startAnalytics } from "../analytics/service/runner.ts";
import type { KindRunner } from "../kernel/runner.ts";
import { startLeaderboards } from "../leaderboards/service/runner.ts";
import { startDispatcher } from "../webhooks/service/dispatcher.ts";
import type { WorkContext } from "./context.ts";
import { startFacts } from "./facts.ts";

/** A kind of job, by its name in the registry. */
export type JobName = "facts" | "leaderboards" | "deliveries" | "analytics";

/**
 * Everything that runs later. Each kind is a table of rows that are due, claimed by any number of workers:
 *
 * | work         | rows                                   | attempts                                    | schedule                                               |
 * |--------------|----------------------------------------|---------------------------------------------|--------------------------------------------------------|
 * | facts        | queued_facts, by lane and environment  | halved on failure, then quarantined         | at once, polled every 100 ms                           |
 * |              | streak_beginnings, by environment      | until they are in the queue                 | `due_at`, on the environment's clock                   |
 * | leaderboards | leaderboard_periods, by environment;   | until it succeeds, step by step             | `due_at`, on the environment's clock                   |
 * |              | leaderboard_fills, seats to give,      |                                             | at once, polled every second                           |
 * |              | blocks that are full                   |                                             |                                                        |
 * | deliveries   | webhook_deliveries, by endpoint        | eight (webhooks/schedule.ts), then given up | `due_at`, with a lease while sent                      |
 * |              | those held for 30 days, by endpoint    | given up                                    | with every look for due ones                           |
 * | analytics    | analytics_deltas, by environment;      | until it succeeds, page by page             | polled every five seconds                              |
 * |              | players whose history is not counted,  |                                             |                                                        |
 * |              | days without distributions             |                                             |                                                        |
 */
export const JOBS: Record<JobName, (context: WorkContext) => KindRunner> = {
  facts: startFacts,
  leaderboards: startLeaderboards,
  deliveries: startDispatcher,
  analytics: startAnalytics,
};
