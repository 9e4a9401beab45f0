import type { Sql } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { inTurns } from "#server/engine/turns.ts";
import { loadDefinitions } from "#server/engine/store/definitions.ts";
import { readStored } from "#server/model/definitions/stored.ts";
import { type Words, wordsOf } from "#server/model/definitions/words.ts";

/** How explanations name the definitions of an environment, in the project's language; instants in the zone. */
export const readWords = async (sql: Sql, { id, defaultLanguage }: Environment, zone: string): Promise<Words> =>
  wordsOf(await inTurns(readStored(await loadDefinitions(sql, id))), defaultLanguage, zone);
