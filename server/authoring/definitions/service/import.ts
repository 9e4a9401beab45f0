import { type Database, transact } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { type Actor, COMMAND_LINE } from "#server/model/kernel/roles.ts";
import { inTurns } from "#server/engine/turns.ts";
import { documentOf } from "#server/model/definitions/document.ts";
import { readFile } from "#server/model/definitions/file.ts";
import { imageIdsOf } from "#server/model/definitions/image-references.ts";
import { nameSubject } from "#server/model/definitions/problem-subject.ts";
import type { Change } from "#server/model/definitions/plan.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { loadDefinitions } from "#server/engine/store/definitions.ts";
import { loadImages } from "../../images/service.ts";
import { readStored } from "#server/model/definitions/stored.ts";
import { planChange, writeChange } from "./change.ts";
import { open, openExclusive } from "#server/engine/open-definitions.ts";

export type ImportResult = { problems: DefinitionProblem[] } | { changes: Change[] };

export interface ImportOptions {
  dryRun?: boolean;
  prune?: boolean;
  /** The author in the audit log. */
  actor?: Actor;
}

/**
 * Imports a definitions file: all or nothing, reporting all problems. Importing existing definitions changes nothing. `dryRun` only lists
 * the changes; `prune` switches off what the file's lists omit. `document` comes from `parseJson`, so that its numbers are exact.
 */
export const importDefinitions = (
  database: Database,
  environment: Environment,
  document: unknown,
  options: ImportOptions = {},
): Promise<ImportResult> => importVia("import", database, environment, document, options);

async function importVia(
  via: "import" | "promote",
  database: Database,
  environment: Environment,
  document: unknown,
  { dryRun = false, prune = false, actor = COMMAND_LINE }: ImportOptions,
): Promise<ImportResult> {
  const file = await inTurns(readFile(document));
  return transact(database, async (tx) => {
    const opened = await (dryRun ? open : openExclusive)(tx, environment.id);
    const plan = await planChange(tx, opened, file, prune);
    if ("problems" in plan) return plan;
    if (!dryRun) await writeChange(tx, opened, plan, { actor, via });
    return { changes: plan.changes };
  });
}

/**
 * Imports a snapshot of one environment into the other one of its project, under the target's rules and with an import's result. Pointers
 * lead into the would-be export; as users do not have that file, problems name their definition. Throws OperatorError if both environments
 * are the same.
 */
export async function promoteDefinitions(
  database: Database,
  from: Environment,
  to: Environment,
  options: ImportOptions = {},
): Promise<ImportResult> {
  if (from.id === to.id) throw new OperatorError("An environment cannot be promoted to itself; --from and --to must be two of them.");
  const document = await exportDefinitions(database, from);
  const result = await importVia("promote", database, to, document, options);
  return "problems" in result ? { problems: result.problems.map((problem) => nameSubject(problem, document)) } : result;
}

/**
 * All definitions of an environment in the file format; importing and exporting them again gives the same text. With `images`, includes the
 * uploaded images' bytes, which another project lacks.
 */
export async function exportDefinitions(
  { sql }: Database,
  { id, projectId }: Environment,
  { images = false }: { images?: boolean } = {},
): Promise<Record<string, unknown>> {
  const stored = await inTurns(readStored(await loadDefinitions(sql, id)));
  const document = documentOf(stored);
  if (!images) return document;
  const kept = await loadImages(sql, projectId, imageIdsOf(stored));
  return { ...document, images: kept.map((image) => ({ id: image.id, bytes: image.bytes.toString("base64") })) };
}
