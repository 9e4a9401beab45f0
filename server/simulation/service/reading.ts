import { type DefinitionProblem, problemAt } from "../../definitions/problems.ts";
import type { Database, Transaction } from "../../../db/client.ts";
import { parseJsonInSteps } from "../../kernel/json.ts";
import { mistake } from "../../rules/finding.ts";
import { inTurns } from "../../turns.ts";

/** The longest that one statement of a trial may take: a trial looks, and must not be in the way of what counts. */
const STATEMENT_MS = 4_000;

/** Runs what reads alone, at one instant of the database, which itself refuses to write anything. */
export async function readOnly<T>({ sql }: Database, run: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await sql.begin("isolation level repeatable read read only", async (tx) => {
    await tx`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`;
    return run(tx);
  });
  return result as T;
}

/** Parses a JSON text. */
export async function readDocument(text: string): Promise<{ document: unknown } | { problems: DefinitionProblem[] }> {
  try {
    return { document: await inTurns(parseJsonInSteps(text)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problems: [problemAt("", mistake("document.not_json", { reason: error.message, isFile: false }))] };
  }
}
