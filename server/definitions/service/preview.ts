import type { Sql } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { zoneChangesOf } from "../../leaderboards/service/zones.ts";
import { inTurns } from "../../turns.ts";
import { type DefinitionsPreview, previewDefinitions } from "../preview.ts";
import { compile } from "../compile.ts";
import type { Definitions } from "../compiled.ts";
import type { Along } from "../along.ts";
import type { Kind } from "../contract.ts";
import type { DefinitionProblem } from "../problems.ts";
import { loadDefinitions } from "../store.ts";
import { readStored, type StoredDefinitions } from "../stored.ts";
import { definitionsOf } from "./compiled.ts";

/** The definitions of an environment with what people call them. */
export async function loadNamed(sql: Sql, environment: Environment): Promise<{ stored: StoredDefinitions; definitions: Definitions }> {
  const stored = await inTurns(readStored(await loadDefinitions(sql, environment.id)));
  return { stored, definitions: await definitionsOf(sql, environment) };
}

export { wordsOf } from "../words.ts";

/**
 * The definitions of an environment as they would be with one of them saved, whether it is new, edited or as it stands, with what comes along.
 * Reads alone: it may be asked in a transaction that must not write. `now` is on the environment's clock.
 */
export async function loadPreview(
  sql: Sql,
  environment: Environment,
  now: number,
  kind: Kind,
  definition: unknown,
  along: readonly Along[] = [],
): Promise<{ problems: DefinitionProblem[] } | (DefinitionsPreview & { definitions: Definitions })> {
  const [rows, zoneChanges] = [await loadDefinitions(sql, environment.id), await zoneChangesOf(sql, environment.id)];
  const preview = await inTurns(previewDefinitions(rows, kind, definition, { now, language: environment.defaultLanguage, along }));
  return "problems" in preview ? preview : { ...preview, definitions: await inTurns(compile(preview.stored, environment, zoneChanges)) };
}
