import microdiff from "microdiff";
import { randomUUID } from "node:crypto";
import { type Database, type Transaction, transact } from "#db/client.ts";
import { lockShared } from "#server/engine/store/locks.ts";
import { entryIn } from "#server/model/audit-log/entry.ts";
import { type Budget, periodNameAt, type ToldBudget } from "#server/model/alerts/budgets.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { FieldProblem } from "#server/model/kernel/problem.ts";
import { changedSince, type Edited } from "#server/model/kernel/revisions.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { selectIsLiveGuarded } from "#server/people/projects/store/projects.ts";
import * as store from "./budget-store.ts";
import { selectDefinitionId } from "./store.ts";

/** Bounded, since those that switch off are checked every five seconds. */
export const MAX_BUDGETS = 50;

const MAX_AMOUNT = 1e15;

/** The settings of a budget; the definition by its key. */
export interface WantedBudget extends Budget {
  key: string;
  switchesOff: boolean;
}

/** The author of a budget. `mayGoAlone`: their changes to Live need no second person. */
interface By {
  actor: Actor;
  mayGoAlone: boolean;
}

/**
 * Adds or changes a budget. Returns its problems, by field. Throws OperatorError for an unknown id, and if a budget that switches off needs
 * an Owner.
 */
export async function saveBudget(
  database: Database,
  environment: Environment,
  edited: Edited,
  { key, ...wanted }: WantedBudget,
  { actor, mayGoAlone }: By,
): Promise<FieldProblem[]> {
  const { id } = edited;
  const { kind, amount } = wanted;
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_AMOUNT) {
    return [{ pointer: "#/amount", message: `Enter a whole number from 1 to ${formatted(MAX_AMOUNT)}.` }];
  }
  return transact(database, async (tx) => {
    // The environment is locked before the budget, as when a definition is switched off. One that starts over moves its budgets to its new
    // id: under the lock, this one is among them, or has the new id.
    await lockShared(tx, environment.id);
    const subject = await selectDefinitionId(tx, environment.id, kind, key);
    if (subject === null) return [{ pointer: "#/key", message: "Select a mission or listing of this environment." }];
    const count = await store.countBudgets(tx, environment.id);
    const before = id === null ? null : await found(tx, environment, id);
    if (before === null && count >= MAX_BUDGETS) {
      return [{ pointer: "#/key", message: `An environment has at most ${MAX_BUDGETS} budgets. Delete one first.` }];
    }
    const budget = { ...wanted, id: id ?? randomUUID(), subject };
    if (await store.hasOther(tx, environment.id, budget)) {
      return [{ pointer: "#/key", message: "There is a budget of this definition for this period already. Change that one." }];
    }
    if (wanted.switchesOff || before?.switchesOff === true) await mustGoAlone(tx, environment, mayGoAlone);
    const difference = microdiff(before === null ? {} : settingsOf(before, before.subjectKey), settingsOf(wanted, key));
    if (difference.length === 0) return [];
    const conflict = changedSince("budget", edited, before);
    if (conflict.length > 0) return conflict;
    await store.upsertBudget(tx, environment.id, budget);
    await record(tx, environment, actor, id === null ? "create" : "update", key, difference);
    return [];
  });
}

const settingsOf = ({ kind, measure, period, amount, switchesOff }: Omit<WantedBudget, "key">, key: string | null) => ({
  definition: `${kind}/${key}`,
  measure,
  period,
  amount,
  switchesOff,
});

type ShownBudget = Omit<store.ListedBudget, "subject" | "checkedAt" | "usedFor" | keyof ToldBudget> & { told: 80 | 100 | null };

/**
 * The budgets, with the percentage notified of in the present period: 80, 100 or null. `used` is of that period too; null before the first
 * check in it. `now` is on the environment's clock.
 */
export async function listBudgets({ sql }: Database, { id, timeZone }: Environment, now: number): Promise<ShownBudget[]> {
  const rows = await store.selectBudgets(sql, id);
  return rows.map(({ subject: _, checkedAt: __, usedFor, told80For, told100For, ...row }) => {
    const period = periodNameAt(row.period, now, timeZone);
    return { ...row, used: usedFor === period ? row.used : null, told: told100For === period ? 100 : told80For === period ? 80 : null };
  });
}

/** Deletes a budget. Throws OperatorError, as `saveBudget` does. */
export const deleteBudget = (database: Database, environment: Environment, id: string, { actor, mayGoAlone }: By): Promise<void> =>
  transact(database, async (tx) => {
    const budget = await found(tx, environment, id);
    if (budget.switchesOff) await mustGoAlone(tx, environment, mayGoAlone);
    await store.deleteBudgetRow(tx, id);
    await record(tx, environment, actor, "delete", budget.subjectKey ?? "deleted", microdiff(settingsOf(budget, budget.subjectKey), {}));
  });

/**
 * A budget that switches off changes Live by itself. Where changes to Live need a second person, so does setting, changing or deleting it.
 */
async function mustGoAlone(tx: Transaction, { kind, projectId }: Environment, mayGoAlone: boolean): Promise<void> {
  if (kind !== "live" || mayGoAlone || !(await selectIsLiveGuarded(tx, projectId))) return;
  throw new OperatorError("Changes to Live need an approval here, so only an Owner adds, changes or deletes a budget that switches off.");
}

async function found(tx: Transaction, { id: environmentId }: Environment, id: string): Promise<store.ListedBudget> {
  const budget = await store.lockBudget(tx, environmentId, id);
  if (budget === null) throw new OperatorError(`There is no budget ${id} in this environment.`);
  return budget;
}

const record = (tx: Transaction, environment: Environment, actor: Actor, action: string, key: string, difference: unknown) =>
  recordChange(tx, entryIn(environment, actor, { action, subjectKind: "budget", subjectKey: key, difference }));
