import { type Database, selectNow, transact, type Transaction, isConflict, isUnavailable } from "#db/client.ts";
import { type PollingOptions, startPolling } from "#db/polling.ts";
import { edit } from "#server/authoring/definitions/service/edit.ts";
import { switchIn } from "#server/authoring/definitions/service/switching.ts";
import { periodNameAt, termsOf, toTell } from "#server/model/alerts/budgets.ts";
import { type SwitchedOff, toldInWords } from "#server/model/alerts/words.ts";
import { storedAt } from "#server/model/definitions/overview.ts";
import { type Environment, BUDGET } from "#server/model/kernel/environment.ts";
import { pickText } from "#server/model/kernel/texts.ts";
import type { KindRunner } from "#server/model/kernel/runner.ts";
import { formatInstant, periodAt, shiftDate } from "#server/model/kernel/time.ts";
import { note } from "#server/people/notices/notices.ts";
import { openEnvironment, readWanted } from "../analytics/service/hours.ts";
import { claimBudgets, type ClaimedBudget, type ListedBudget, lockBudget, markTold, writeUsed } from "./budget-store.ts";

const POLL_MS = 5_000;

/** The interval of checking a budget; budgets that only notify are checked less often. */
const EVERY_MS = { switchesOff: POLL_MS - 500, tells: 60_000 };

/** Budgets per poll. */
const AT_ONCE = 200;

/** A reset locks its environment for up to a minute; other environments' budgets do not wait for it. */
const PATIENCE_MS = 1_000;

/** Checks budgets, in any number of processes. */
export const startBudgets = (options: PollingOptions): KindRunner =>
  startPolling(options, {
    pollMs: POLL_MS,
    fault: "budgets were not checked; the next poll checks them",
    async look({ database, logger, isStopping, count }) {
      const claimed = await claimBudgets(database.sql, EVERY_MS, AT_ONCE);
      for (const [environmentId, budgets] of Map.groupBy(claimed, (budget) => budget.environmentId)) {
        if (isStopping()) break;
        try {
          await checkBudgets(database, environmentId, budgets);
        } catch (error) {
          const level = isUnavailable(error) || isConflict(error) ? "warn" : "error";
          logger[level]({ err: error, environment: environmentId }, "budgets were not checked; the next poll checks them");
        }
      }
      count(claimed.length);
      return claimed.length === AT_ONCE ? "more" : "nothing";
    },
  });

/** Reads the use of an environment's budgets, and sends the notices that are due. */
export async function checkBudgets(database: Database, environmentId: number, budgets: readonly ClaimedBudget[]): Promise<void> {
  const { sql } = database;
  const realNow = await selectNow(sql);
  const opened = await openEnvironment(sql, environmentId, realNow);
  if (opened === null) return;
  const { environment, now } = opened;
  const used = await readWanted(
    sql,
    environmentId,
    budgets.map((budget) => ({ subject: budget.subject, terms: termsOf(budget), ...daysOf(budget, now, environment.timeZone) })),
  );
  let failure: unknown = null;
  for (const [at, budget] of budgets.entries()) {
    try {
      const period = periodNameAt(budget.period, now, environment.timeZone);
      await writeUsed(sql, budget, used[at]!, period);
      const found: Found = { budget, period, used: used[at]!, realNow };
      const percent = toTell(budget, budget, period, found.used);
      if (percent === null) continue;
      if (percent === 100 && budget.switchesOff) await switchOff(database, environment, found);
      else await transact(database, (tx) => tell(tx, environment, found, percent));
    } catch (error) {
      // A failing budget does not stop the others.
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
}

/** The days of the present period, `end` excluded. */
function daysOf({ period }: ClaimedBudget, now: number, timeZone: string): { from: string; end: string } {
  if (period === "All") return { from: "-infinity", end: "infinity" };
  const { start } = periodAt(now, timeZone, period);
  return { from: start, end: shiftDate(start, period === "Day" ? 1 : 7) };
}

interface Found {
  budget: ClaimedBudget;
  period: string;
  used: number;
  /** When `used` was read, in real time. */
  realNow: number;
}

/**
 * Switches the definition off and notifies that the budget is used up, in one transaction that locks the environment's definitions, then
 * the budget: each happens once, and a crash undoes both. If the definition cannot be switched off, the notice has the reason.
 */
const switchOff = (database: Database, environment: Environment, found: Found): Promise<void> =>
  edit(database, environment, { patienceMs: PATIENCE_MS }, (open) =>
    tell(open.tx, environment, found, 100, async ({ kind, subjectKey: key }) => {
      const known = key === null ? undefined : storedAt(await open.overview(), kind, key);
      if (known === undefined) return { was: "gone" };
      if (!known.shaped.active) return { was: "off" };
      const { problems } = await switchIn(open, { kind, key: known.shaped.key, active: false }, BUDGET);
      return problems.length === 0 ? { was: "on" } : { problems: problems.map(({ message }) => message) };
    }),
  );

/**
 * Notifies of a budget, unless that was done already or the budget has changed since it was read. `act` runs first, in the same
 * transaction.
 */
async function tell(
  tx: Transaction,
  { id: environmentId, projectId }: Environment,
  { budget: { id, revision }, period, used, realNow }: Found,
  percent: 80 | 100,
  act: (budget: ListedBudget) => Promise<SwitchedOff> = async () => null,
): Promise<void> {
  const budget = await lockBudget(tx, environmentId, id);
  if (budget === null || budget.revision !== revision || toTell(budget, budget, period, used) !== percent) return;
  const switchedOff = await act(budget);
  const subject = budget.subjectName === null ? "a deleted definition" : pickText(budget.subjectName, null);
  await markTold(tx, id, percent, period);
  await note(tx, {
    environmentId,
    projectId,
    kind: "Alert",
    endpointId: null,
    subjectId: id,
    hasNoEnd: true,
    cause: `${id} ${revision} ${period} ${percent}`,
    details: {
      name: `Budget of ${subject}`,
      since: formatInstant(realNow),
      reason: toldInWords(budget, used, percent, switchedOff),
    },
  });
}
