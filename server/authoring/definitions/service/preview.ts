import type { Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { compileStored, loadStored } from "#server/engine/definitions.ts";
import { inTurns } from "#server/engine/turns.ts";
import { type DefinitionsPreview, previewDefinitions } from "#server/model/definitions/preview.ts";
import type { Definitions } from "#server/model/definitions/compiled.ts";
import type { Along } from "#server/model/definitions/file.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import type { DefinitionProblem } from "#server/model/definitions/problems.ts";

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
  const stored = await loadStored(sql, environment.id);
  const preview = await inTurns(previewDefinitions(stored, kind, definition, { now, language: environment.defaultLanguage, along }));
  return "problems" in preview ? preview : { ...preview, definitions: await compileStored(sql, environment, preview.stored) };
}
