import type { Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { inTurns } from "#server/engine/turns.ts";
import { type DefinitionsPreview, previewDefinitions } from "#server/model/definitions/preview.ts";
import { compile } from "#server/model/definitions/compile.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import type { Along } from "#server/model/definitions/along.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";
import { loadDefinitions } from "#server/engine/store/definitions.ts";
import { readStored, type StoredDefinitions } from "#server/model/definitions/stored.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { selectZoneChanges } from "#server/engine/store/zones.ts";

/** An environment's definitions with their display names. */
export async function loadNamed(sql: Sql, environment: Environment): Promise<{ stored: StoredDefinitions; definitions: Definitions }> {
  const stored = await inTurns(readStored(await loadDefinitions(sql, environment.id)));
  return { stored, definitions: await definitionsOf(sql, environment) };
}

export { wordsOf } from "#server/model/definitions/words.ts";

/**
 * An environment's definitions as if one of them, new or edited, were saved together with its `along`. Read-only. `now` is on the
 * environment's clock.
 */
export async function loadPreview(
  sql: Sql,
  environment: Environment,
  now: number,
  kind: Kind,
  definition: unknown,
  along: readonly Along[] = [],
): Promise<{ problems: DefinitionProblem[] } | (DefinitionsPreview & { definitions: Definitions })> {
  const [rows, zoneChanges] = [await loadDefinitions(sql, environment.id), await selectZoneChanges(sql, environment.id)];
  const preview = await inTurns(previewDefinitions(rows, kind, definition, { now, language: environment.defaultLanguage, along }));
  return "problems" in preview ? preview : { ...preview, definitions: await inTurns(compile(preview.stored, environment, zoneChanges)) };
}
