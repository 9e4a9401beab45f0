import type { Sql } from "../../../db/client.ts";
import type { Environment } from "../../kernel/environment.ts";
import { inTurns } from "../../turns.ts";
import { loadDefinitions } from "../store.ts";
import { readStored } from "../stored.ts";
import { type Words, wordsOf } from "../words.ts";

/** How explanations name the definitions of an environment, in the project's language; instants in the zone. */
export const readWords = async (sql: Sql, { id, defaultLanguage }: Environment, zone: string): Promise<Words> =>
  wordsOf(await inTurns(readStored(await loadDefinitions(sql, id))), defaultLanguage, zone);
