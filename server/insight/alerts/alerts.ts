import microdiff from "microdiff";
import { randomUUID } from "node:crypto";
import { type Database, type Sql, type Transaction, transact } from "#db/client.ts";
import { lockShared } from "#server/engine/store/locks.ts";
import { entryIn } from "#server/model/audit-log/entry.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import type { FieldProblem } from "#server/model/kernel/problem.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { changedSince, type Edited } from "#server/model/kernel/revisions.ts";
import { FIGURE_WORDS, ruleOf } from "#server/model/alerts/figures.ts";
import { type AlertRule, PREVIEW_DAYS, previewOf, WINDOWS } from "#server/model/alerts/judge.ts";
import { readHours } from "../analytics/service/hours.ts";
import * as store from "./store.ts";

/** Bounded, since each is checked every three minutes. */
export const MAX_ALERTS = 50;

const MAX_NAME = 100;
const MAX_THRESHOLD = 1e15;

/** The settings of an alert; the definition by kind and key. */
export interface WantedAlert extends AlertRule {
  name: string;
  kind: string | null;
  key: string | null;
}

/** Adds or changes an alert. Returns its problems, by field. Throws OperatorError for an unknown id. */
export async function saveAlert(
  database: Database,
  environment: Environment,
  edited: Edited,
  wanted: WantedAlert,
  actor: Actor,
): Promise<FieldProblem[]> {
  const { id } = edited;
  const { kind, key } = wanted;
  const name = wanted.name.trim();
  return transact(database, async (tx) => {
    // A definition that starts over moves its alerts to its new id: under the lock, this one is among them, or has the new id.
    await lockShared(tx, environment.id);
    const { problems, subject } = await checkRule(tx, environment, wanted);
    if (name === "") problems.unshift({ pointer: "#/name", message: "Enter a name." });
    if (name.length > MAX_NAME) problems.unshift({ pointer: "#/name", message: `Use at most ${MAX_NAME} characters.` });
    if (problems.length > 0) return problems;
    const before = id === null ? null : await lockedAlert(tx, environment, id);
    if (before === null && (await store.countAlerts(tx, environment.id)) >= MAX_ALERTS) {
      return [{ pointer: "#/name", message: `An environment has at most ${MAX_ALERTS} alerts. Delete one first.` }];
    }
    const alert = { ...wanted, id: id ?? randomUUID(), name, kind: subject === null ? null : kind, subject };
    const difference = microdiff(before === null ? {} : settingsOf(before, before.subjectKey), settingsOf(alert, key));
    // A repeated save changes nothing, and is no conflict with itself.
    if (difference.length === 0) return [];
    const conflict = changedSince("alert", edited, before);
    if (conflict.length > 0) return conflict;
    await store.upsertAlert(tx, environment.id, alert);
    await record(tx, environment, actor, id === null ? "create" : "update", name, difference);
    return [];
  });
}

type Named = AlertRule & { name: string; kind: string | null };

const settingsOf = ({ name, kind, figure, comparison, basis, threshold, hours }: Named, key: string | null) => ({
  name,
  ...(key !== null && { definition: `${kind}/${key}` }),
  figure,
  comparison,
  basis,
  threshold,
  hours,
});

/** The problems of a rule, and the id of its definition. */
async function checkRule(sql: Sql, environment: Environment, { figure, comparison, basis, threshold, hours, kind, key }: WantedAlert) {
  const problems: FieldProblem[] = [];
  const rule = ruleOf(figure);
  let subject: number | null = null;
  if (kind !== null && key !== null) {
    if (rule.kinds.some((one) => one === kind)) subject = await store.selectDefinitionId(sql, environment.id, kind, key);
    if (subject === null) problems.push({ pointer: "#/key", message: "Select a definition of this environment that has this figure." });
  } else if (rule.whole === null) {
    problems.push({
      pointer: "#/key",
      message: `Select a definition: ${FIGURE_WORDS[figure].label.toLowerCase()} has no total over all definitions.`,
    });
  }
  const isShareBound = rule.type === "share" && basis === "Bound";
  if (!(threshold > 0 || (threshold === 0 && basis === "Bound" && comparison === "Above"))) {
    problems.push({ pointer: "#/threshold", message: "Enter a number above 0." });
  } else if (threshold > MAX_THRESHOLD) {
    problems.push({ pointer: "#/threshold", message: `Enter at most ${formatted(MAX_THRESHOLD)}.` });
  } else if (isShareBound && threshold >= 1 && comparison === "Above") {
    problems.push({ pointer: "#/threshold", message: "Enter a share below 100%." });
  }
  if (!WINDOWS.some((window) => window === hours) || (rule.type === "level" && hours !== 1)) {
    problems.push({ pointer: "#/hours", message: "Select one of the windows." });
  }
  return { problems, subject };
}

/** The most breaches that a preview lists; the others are only counted. */
const MAX_LISTED = 10;

/**
 * How often an alert would have fired in the last 28 days, from the stored sums, and the latest of these times. `since` is the first day
 * with sums; null without any. `now` is on the environment's clock.
 */
export async function previewAlert(database: Database, environment: Environment, wanted: WantedAlert, now: number) {
  const { problems, subject } = await checkRule(database.sql, environment, wanted);
  if (problems.length > 0) return { problems, count: 0, since: null, breaches: [] };
  const hours = await readHours(database.sql, environment, { figure: wanted.figure, subject }, now, 2 * PREVIEW_DAYS + 2);
  const breaches = previewOf(wanted, hours, now);
  return { problems: [], count: breaches.length, since: hours.since, breaches: breaches.slice(-MAX_LISTED).reverse() };
}

export const listAlerts = ({ sql }: Database, { id }: Pick<Environment, "id">): Promise<store.ListedAlert[]> => store.selectAlerts(sql, id);

/** Switches an alert on or off. Throws OperatorError. */
export const switchAlert = (database: Database, environment: Environment, id: string, isOn: boolean, actor: Actor): Promise<void> =>
  transact(database, async (tx) => {
    const alert = await lockedAlert(tx, environment, id);
    if (alert.isOn === isOn) return;
    await store.switchAlertRow(tx, id, isOn);
    await record(tx, environment, actor, isOn ? "switch_on" : "switch_off", alert.name, microdiff({ active: !isOn }, { active: isOn }));
  });

/** Deletes an alert. Throws OperatorError. */
export const deleteAlert = (database: Database, environment: Environment, id: string, actor: Actor): Promise<void> =>
  transact(database, async (tx) => {
    const alert = await lockedAlert(tx, environment, id);
    await store.deleteAlertRow(tx, id);
    await record(tx, environment, actor, "delete", alert.name, microdiff(settingsOf(alert, alert.subjectKey), {}));
  });

async function lockedAlert(tx: Transaction, { id: environmentId }: Environment, id: string) {
  const alert = await store.lockAlert(tx, environmentId, id);
  if (alert === null) throw new OperatorError(`There is no alert ${id} in this environment.`);
  return alert;
}

const record = (tx: Transaction, environment: Environment, actor: Actor, action: string, name: string, difference: unknown) =>
  recordChange(tx, entryIn(environment, actor, { action, subjectKind: "alert", subjectKey: name, difference }));
