import { type Database, selectNow, transact } from "#db/client.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import { note } from "#server/people/notices/notices.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { formatInstant } from "#server/model/kernel/time.ts";
import { alertInWords } from "#server/model/alerts/words.ts";
import { DAYS_TO_JUDGE, judge } from "#server/model/alerts/judge.ts";
import { completeEpoch, openEnvironment, readHours } from "../analytics/service/hours.ts";
import { claimAlerts, type ClaimedAlert, lockJudged, writeJudged } from "./store.ts";

const POLL_MS = 30_000;

/** The interval of checking an alert. */
export const EVERY_MS = 3 * 60_000;

/** Alerts per look. Few: an alert that is claimed again before its check is checked for nothing. */
const AT_ONCE = 10;

/** Checks alerts, in any number of processes. */
export const startAlerts = (options: PollingOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "alerts were not judged; the next poll judges them",
    async look({ database, logger, isStopping, count }) {
      const claimed = await claimAlerts(database.sql, EVERY_MS, AT_ONCE);
      for (const alert of claimed) {
        if (isStopping()) break;
        try {
          await check(database, alert);
        } catch (error) {
          logger.error({ err: error, alert: alert.id }, "an alert was not judged; it is judged again in some minutes");
        }
      }
      count(claimed.length);
      return claimed.length === AT_ONCE ? "more" : "nothing";
    },
  });

/**
 * Checks an alert and stores the result. The notice of a new breach is written in the same transaction, with the breach's number as its
 * cause, so it is written once. The end of a breach is found by the notices (`noteOver`).
 */
async function check(database: Database, alert: ClaimedAlert): Promise<void> {
  const { sql } = database;
  const epoch = await completeEpoch(sql, alert.environmentId);
  // The state stays until history is counted again: partial sums would end a breach, or be one.
  if (epoch === null) return;
  const realNow = await selectNow(sql);
  const opened = await openEnvironment(sql, alert.environmentId, realNow);
  if (opened === null) return;
  const { environment, now } = opened;
  const judged = judge(alert, await readHours(sql, environment, alert, now, DAYS_TO_JUDGE), now);
  // The sums that were read are complete if no zone was changed meanwhile.
  if ((await completeEpoch(sql, alert.environmentId)) !== epoch) return;
  await transact(database, async (tx) => {
    const current = await lockJudged(tx, alert);
    if (current === null) return;
    await writeJudged(tx, alert.id, judged);
    if (!judged.isBreach || current.isBreached) return;
    await note(tx, {
      environmentId: environment.id,
      projectId: environment.projectId,
      kind: "Alert",
      endpointId: null,
      subjectId: alert.id,
      cause: `${alert.id} ${current.breaches + 1}`,
      details: { name: current.name, since: formatInstant(realNow), reason: alertInWords(alert, judged, current.subjectKey) },
    });
  });
}
