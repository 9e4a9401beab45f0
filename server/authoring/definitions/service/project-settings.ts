import microdiff from "microdiff";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import { applyReceived } from "#server/engine/apply.ts";
import { holdPlayers, lockExclusive } from "#server/engine/store/locks.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { canonicalLanguage } from "#server/model/kernel/languages.ts";
import type { FieldProblem } from "#server/model/kernel/problem.ts";
import { keepPeriods, leaveZone } from "#server/game/leaderboards/service/schedule.ts";
import { bumpDefinitionsVersion } from "#server/people/projects/environments.ts";
import { type ChangeableSettings, settingsProblems } from "#server/model/projects/settings.ts";
import { selectSettings, updateSettings } from "#server/people/projects/store/projects.ts";
import { freshDefinitions } from "#server/engine/definitions.ts";
import { environmentNow, loadEnvironment, selectEnvironmentsOf } from "#server/engine/environment.ts";

/**
 * Changes the given ones of a project's name, default language and time zone; returns the problems, empty on success. Days and periods of
 * both environments follow the new zone from then on, and running leaderboard periods end by it; occurrences of missions that had begun
 * keep their end. Both environments are locked exclusively.
 */
export async function changeProject(
  database: Database,
  { projectId, projectSlug }: Pick<Environment, "projectId" | "projectSlug">,
  wanted: Partial<ChangeableSettings>,
  actor: Actor,
): Promise<FieldProblem[]> {
  const environments = await selectEnvironmentsOf(database.sql, projectSlug);
  return transact(database, async (tx) => {
    // A new zone changes players' streaks; whatever else is changed need not wait for a reset.
    const mayMove = wanted.timeZone !== undefined && wanted.timeZone !== (await selectSettings(tx, projectId)).timeZone;
    if (mayMove) for (const { id } of environments) await holdPlayers(tx, id);
    for (const { id } of environments) await lockExclusive(tx, id);
    const before = await selectSettings(tx, projectId);
    const { name = before.name, defaultLanguage = before.defaultLanguage, timeZone = before.timeZone } = wanted;
    const problems = settingsProblems({ name, defaultLanguage, timeZone });
    if (problems.length > 0) return problems;
    const settings = { name: name.trim(), defaultLanguage: canonicalLanguage(defaultLanguage) ?? defaultLanguage, timeZone };
    const difference = microdiff(before, settings);
    if (difference.length === 0) return [];
    const isMoved = timeZone !== before.timeZone;
    if (isMoved) for (const { id } of environments) await applyReceived(tx, id);
    await updateSettings(tx, projectId, settings);
    const entry = { projectId, environmentId: null, actor, action: "update", subjectKind: "project", subjectKey: projectSlug, difference };
    await recordChange(tx, entry);
    if (isMoved) for (const { id } of environments) await moveBoards(tx, id, before.timeZone);
    return [];
  });
}

/** Moves an environment's leaderboards from a former zone to the project's present one. */
async function moveBoards(tx: Transaction, environmentId: number, from: string): Promise<void> {
  await bumpDefinitionsVersion(tx, environmentId);
  const environment = await loadEnvironment(tx, environmentId);
  if (environment === null) return;
  const now = await environmentNow(tx, environment);
  await leaveZone(tx, environmentId, now, from);
  await keepPeriods(tx, environmentId, await freshDefinitions(tx, environment), now);
}
