import type { Transaction } from "#db/client.ts";
import { recordChange, recordTogether } from "#server/people/audit-log/record.ts";
import { insertImages, knownImages, overQuota } from "../../images/service.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { keepPeriods } from "#server/game/leaderboards/service/schedule.ts";
import { bumpDefinitionsVersion } from "#server/people/projects/change-environment.ts";
import { inTurns } from "#server/engine/turns.ts";
import { auditEntries, wholeEntry } from "#server/model/definitions/audit-entries.ts";
import { compile } from "#server/model/definitions/compile.ts";
import type { File } from "#server/model/definitions/file.ts";
import { imageIdsIn } from "#server/model/definitions/image-references.ts";
import { type Plan, planImport } from "#server/model/definitions/plan.ts";
import { type DefinitionProblem, problemAt } from "#server/model/definitions/problems.ts";
import type { Prune } from "#server/model/definitions/result.ts";
import { rollupChanges } from "#server/model/definitions/rollups.ts";
import {
  deleteRollups,
  haveTotals,
  insertDefinitions,
  insertRollups,
  loadDefinitions,
  updateDefinitions,
} from "#server/engine/store/definitions.ts";
import { readStored, type StoredDefinitions } from "#server/model/definitions/stored.ts";
import type { Author } from "#server/model/definitions/versions.ts";
import type { Opened } from "#server/engine/open-definitions.ts";
import { selectZoneChanges } from "#server/engine/store/zones.ts";

/** The changes of importing a file, or all of its problems. Writes nothing. */
export async function planChange(
  tx: Transaction,
  { environment, now, stored }: Opened,
  file: File,
  prune: Prune = false,
): Promise<{ problems: DefinitionProblem[] } | Plan> {
  const [hasMoney, images] = [await hasMoneyIn(tx, file, stored), await knownImages(tx, environment.projectId, imageIdsIn(file))];
  const plan = await inTurns(planImport(file, stored, { now, language: environment.defaultLanguage, prune, hasMoney, images }));
  if ("problems" in plan) return plan;
  const tooMany = await overQuota(tx, environment.projectId, plan.images);
  return tooMany === null ? plan : { problems: [problemAt("/images", tooMany)] };
}

/** Whether amounts were added in the base currency; queried only if a file would change it. */
async function hasMoneyIn(tx: Transaction, { settings }: File, stored: StoredDefinitions): Promise<boolean> {
  const { baseCurrency } = stored.settings;
  if (baseCurrency === null || settings.baseCurrency === undefined || settings.baseCurrency === baseCurrency) return false;
  return hasMoney(tx, stored);
}

/** Whether an amount was ever added to a metric of money. */
export const hasMoney = (sql: Transaction, { lists }: StoredDefinitions): Promise<boolean> =>
  haveTotals(
    sql,
    lists.metrics.filter(({ shaped }) => shaped.kind === "Currency").map(({ id }) => id),
  );

/**
 * Writes a plan and its consequences: versions, rollups, periods of boards, the audit log. Returns what is stored then. A promotion and an
 * import are one log entry, with their changes as parts.
 */
export async function writeChange(
  tx: Transaction,
  { environment, now, stored }: Opened,
  plan: Plan,
  author: Author,
): Promise<StoredDefinitions> {
  await insertImages(tx, environment.projectId, plan.images);
  if (plan.changes.length === 0) return stored;
  await insertDefinitions(tx, environment.id, now, plan.additions, author);
  await updateDefinitions(tx, now, plan.updates, author);
  const entries = auditEntries(environment, author, plan);
  const whole = wholeEntry(environment, author);
  if (whole === null) await recordChange(tx, ...entries);
  else await recordTogether(tx, whole, entries);
  return settleChange(tx, environment, now);
}

/** The consequences of changed definitions: exactly the rollups that they need, the next version, and the periods of boards. */
export async function settleChange(tx: Transaction, environment: Environment, now: number): Promise<StoredDefinitions> {
  const stored = await withRollups(tx, environment.id, now);
  await bumpDefinitionsVersion(tx, environment.id);
  const definitions = await inTurns(compile(stored, environment, await selectZoneChanges(tx, environment.id)));
  await keepPeriods(tx, environment.id, definitions, now);
  return stored;
}

async function withRollups(tx: Transaction, environmentId: number, now: number): Promise<StoredDefinitions> {
  const stored = await inTurns(readStored(await loadDefinitions(tx, environmentId)));
  const { added, removed } = await inTurns(rollupChanges(stored));
  if (added.length + removed.length === 0) return stored;
  await insertRollups(tx, environmentId, now, added);
  await deleteRollups(tx, removed);
  return inTurns(readStored(await loadDefinitions(tx, environmentId)));
}
