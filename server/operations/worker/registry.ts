import { startAnalytics } from "../../insight/analytics/service/runner.ts";
import { startSchedule } from "../../authoring/definitions/service/schedule-runner.ts";
import { startImports } from "../imports/service/runner.ts";
import type { KindRunner } from "../../model/kernel/runner.ts";
import { startLeaderboards } from "../../game/leaderboards/service/runner.ts";
import { startSegments } from "../../game/segments/service/runner.ts";
import { startNotices } from "../../people/notices/service/runner.ts";
import { startRemoval } from "../../people/projects/service/removal-runner.ts";
import { startPurge } from "../../insight/request-log/service/purge.ts";
import { startRetention } from "../retention/service/runner.ts";
import { startDispatcher } from "../../delivery/service/dispatcher.ts";
import type { WorkContext } from "./context.ts";
import { startFacts } from "./facts.ts";

/** A job's name in the registry. */
export type JobName =
  | "imports"
  | "facts"
  | "scheduledChanges"
  | "leaderboards"
  | "deliveries"
  | "segments"
  | "notices"
  | "analytics"
  | "requestLog"
  | "retention"
  | "testProjects";

/**
 * Everything that runs later. Each kind is a table of rows that are due, claimed by any number of workers:
 *
 * | work         | rows                                   | attempts                                    | schedule                                               |
 * |--------------|----------------------------------------|---------------------------------------------|--------------------------------------------------------|
 * | imports      | imports, by piece and slice of lines   | until it succeeds; an unforeseen fault ends | polled every second, in turns                          |
 * | facts        | queued_facts, by lane and environment  | halved on failure, then quarantined         | at once, polled every 100 ms                           |
 * |              | streak_beginnings, by environment      | until they are in the queue                 | `due_at`, on the environment's clock                   |
 * | scheduled-   | scheduled_changes, by environment      | once; what is refused waits for people      | `due_at`, on the environment's clock                   |
 * | Changes      |                                        |                                             |                                                        |
 * | leaderboards | leaderboard_periods, by environment;   | until it succeeds, step by step             | `due_at`, on the environment's clock                   |
 * |              | leaderboard_fills, seats to give,      |                                             | at once, polled every second                           |
 * |              | blocks that are full                   |                                             |                                                        |
 * | deliveries   | webhook_deliveries, by endpoint        | eight (model/webhooks/schedule.ts), then given up | `due_at`, with a lease while sent                      |
 * |              | those held for 30 days, by endpoint    | given up                                    | with every look for due ones                           |
 * |              | answers older than thirty days         |                                             | every minute                                           |
 * | segments     | segment_counts, by page of players     | until it succeeds, each after a minute      | `due_at` in real time, polled every two seconds        |
 * | notices      | endpoints that fail, facts in          | once for each cause                         | looked for every 15 s                                  |
 * |              | quarantine; notice_mails               | six, then given up                          | once an hour for a project and kind                    |
 * | analytics    | analytics_deltas, by environment;      | until it succeeds, page by page             | polled every five seconds                              |
 * |              | players whose history is not counted,  |                                             |                                                        |
 * |              | days without distributions             |                                             |                                                        |
 * | requestLog   | request_log, event_tail, event_effects | with the next look                          | once a minute (model/request-log/kept.ts)                    |
 * |              | beyond bounds                          |                                             |                                                        |
 * | retention    | events older than an environment keeps   | with the next look, on from where it was    | a pass every one to seven days, slice by slice         |
 * | testProjects | projects that are tests and archived   | until it succeeds, slice by slice           | a minute after they were archived, or expired          |
 */
export const JOBS: Record<JobName, (context: WorkContext) => KindRunner> = {
  // First: the following jobs apply what imports add.
  imports: startImports,
  facts: startFacts,
  scheduledChanges: startSchedule,
  leaderboards: startLeaderboards,
  deliveries: startDispatcher,
  segments: startSegments,
  notices: startNotices,
  analytics: startAnalytics,
  requestLog: startPurge,
  retention: startRetention,
  testProjects: startRemoval,
};
