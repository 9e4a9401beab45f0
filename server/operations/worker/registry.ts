import { selectNow } from "#db/client.ts";
import { startEveryMinute } from "#db/polling.ts";
import { startBacktests } from "../../authoring/backtests/service/runner.ts";
import { startSchedule } from "../../authoring/definitions/service/scheduling.ts";
import { startChannels } from "../../delivery/service/channel-messages.ts";
import { startDispatcher } from "../../delivery/service/dispatcher.ts";
import { startLeaderboards } from "../../game/leaderboards/service/runner.ts";
import { startSegments } from "../../game/segments/service/runner.ts";
import { startNotices } from "../../people/notices/mailing.ts";
import { removeData } from "../../people/projects/removal.ts";
import { purgeLog } from "../../insight/request-log/service/purge.ts";
import { startBudgets } from "../../insight/alerts/budget-runner.ts";
import { startAlerts } from "../../insight/alerts/runner.ts";
import { startAnalytics } from "../../insight/analytics/service/runner.ts";
import type { KindRunner } from "../../model/kernel/runner.ts";
import { startImports } from "../imports/service/runner.ts";
import { purgeEvents } from "../retention/service/purge.ts";
import type { WorkContext } from "./context.ts";
import { startFacts } from "./facts.ts";

/** A kind of job: its runner, and the jobs that its effects may make due. */
interface Job {
  start(context: WorkContext): KindRunner;
  wakes?: readonly JobName[];
  /**
   * Set if the job only follows its own schedule, and no request makes it due: the minutes between two runs of its cron in vercel.json. The
   * crons of all other jobs run every minute. `vitest run --project service server/process/serverless.test.ts -u` writes the crons.
   */
  everyMinutes?: 1 | 5;
}

export type JobName =
  | "imports"
  | "facts"
  | "scheduledChanges"
  | "leaderboards"
  | "deliveries"
  | "segments"
  | "notices"
  | "channels"
  | "analytics"
  | "alerts"
  | "budgets"
  | "requestLog"
  | "retention"
  | "testProjects"
  | "backtests";

/**
 * Everything that runs later. Each kind is a table of rows that are due, claimed by any number of workers:
 *
 * | work         | rows                                   | attempts                                    | schedule                                               |
 * |--------------|----------------------------------------|---------------------------------------------|--------------------------------------------------------|
 * | imports      | imports, by piece and slice of lines   | until it succeeds; an unforeseen fault ends | polled every second, in turns                          |
 * | facts        | queued_facts, by lane and environment  | halved on failure, then quarantined         | at once, polled every 100 ms                           |
 * |              | streak_beginnings, by environment      | until they are in the queue                 | `due_at`, on the environment's clock                   |
 * | scheduled-   | scheduled_changes, by environment      | once; a refused change waits for its author | `due_at`, on the environment's clock                   |
 * | Changes      |                                        |                                             |                                                        |
 * | leaderboards | leaderboard_periods, by environment;   | until it succeeds, step by step             | `due_at`, on the environment's clock                   |
 * |              | leaderboard_fills, seats to give,      |                                             | at once, polled every second                           |
 * |              | blocks that are full                   |                                             |                                                        |
 * | deliveries   | webhook_deliveries, by endpoint        | eight (model/webhooks/outcome.ts), then given up | `due_at`, with a lease while sent                      |
 * |              | those held for 30 days, by endpoint    | given up                                    | with every look for due ones                           |
 * |              | answers older than thirty days         |                                             | every minute                                           |
 * | segments     | segment_counts, by page of players     | until it succeeds, each after a minute      | `due_at` in real time, polled every two seconds        |
 * | notices      | endpoints that fail, facts in          | once for each cause                         | looked for every 15 s                                  |
 * |              | quarantine; notice_mails               | six, then given up                          | once an hour for a project and kind                    |
 * | channels     | channel_notices, by channel            | once for each notice and channel            | every five seconds; one message a minute for a channel |
 * |              | channel_messages                       | eight, then given up                        | `due_at`, with a lease while sent                      |
 * | analytics    | analytics_deltas, by environment;      | until it succeeds, page by page             | polled every five seconds                              |
 * |              | players whose history is not counted,  |                                             |                                                        |
 * |              | days without distributions             |                                             |                                                        |
 * | alerts       | alerts, by alert                       | with the next look                          | every three minutes                                    |
 * | budgets      | budgets, by budget                     | with the next look                          | every five seconds if it switches off, else every minute |
 * | requestLog   | request_log, event_tail, event_effects | with the next look                          | once a minute (model/kernel/kept-days.ts)              |
 * |              | beyond bounds                          |                                             |                                                        |
 * | retention    | events older than an environment keeps | with the next look, on from where it was    | a pass every one to seven days, slice by slice         |
 * | backtests    | backtests, one at a time a process     | three, then given up                        | polled every second; the snapshot is held 2 minutes at most |
 * | testProjects | test projects that are archived        | until it succeeds, slice by slice           | a minute after they were archived, or expired          |
 *
 * They are drained and stopped in this order.
 */
export const JOBS: Record<JobName, Job> = {
  // First: the following jobs apply what imports add.
  imports: { start: startImports },
  facts: { start: startFacts, wakes: ["deliveries", "leaderboards"] },
  scheduledChanges: { start: startSchedule, wakes: ["leaderboards"] },
  leaderboards: { start: startLeaderboards, wakes: ["deliveries"] },
  deliveries: { start: startDispatcher },
  segments: { start: startSegments },
  notices: { start: startNotices },
  channels: { start: ({ baseUrl = "", ...context }) => startChannels({ baseUrl, ...context }) },
  analytics: { start: startAnalytics },
  alerts: { everyMinutes: 5, start: startAlerts },
  budgets: { everyMinutes: 1, start: startBudgets },
  requestLog: {
    everyMinutes: 5,
    start: (context) =>
      startEveryMinute("purging the request log", context, async (database, isStopping) =>
        purgeLog(database, await selectNow(database.sql), isStopping),
      ),
  },
  retention: { everyMinutes: 5, start: (context) => startEveryMinute("purging old events", context, purgeEvents) },
  backtests: { start: startBacktests },
  testProjects: { everyMinutes: 5, start: (context) => startEveryMinute("removing test projects", context, removeData) },
};

export const JOB_NAMES = Object.keys(JOBS) as JobName[];
