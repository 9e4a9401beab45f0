import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { type Actor, COMMAND_LINE } from "../../model/kernel/roles.ts";
import { erasePlayer } from "./erase.ts";
import { type ErasureRow, findErased, selectErasures } from "./store/erasures.ts";

/** The erasures of an environment as lines of JSON: to be kept apart from the backups that they are to be repeated on. */
export async function listErasures({ sql }: Database, { id }: Environment): Promise<string[]> {
  return (await selectErasures(sql, id)).map((row) => JSON.stringify(row));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One line of `listErasures`. Throws OperatorError. */
function readLine(line: string, number: number): ErasureRow {
  const wrong = new OperatorError(`Line ${number} is no erasure; write the file with "player erasures".`);
  let row: Partial<ErasureRow>;
  try {
    row = JSON.parse(line) as Partial<ErasureRow>;
  } catch {
    throw wrong;
  }
  const { part, playerId, erasedAt } = row;
  if (!Number.isInteger(part) || typeof playerId !== "string" || !UUID.test(playerId) || !Number.isInteger(erasedAt)) throw wrong;
  return { part: part!, playerId, erasedAt: erasedAt! };
}

/**
 * Erases again whom a restored backup brought back: the players of these lines who were first seen before they were erased. Done twice it
 * finds nobody the second time. Returns how many it erased. Throws OperatorError, before it has done anything, where a line is none.
 */
export async function repeatErasures(
  database: Database,
  environment: Environment,
  lines: readonly string[],
  actor: Actor = COMMAND_LINE,
): Promise<number> {
  const rows = lines.flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, index + 1)]));
  let count = 0;
  for (const row of rows) {
    const externalId = await findErased(database.sql, environment.id, row);
    if (externalId === null) continue;
    await erasePlayer(database, environment, externalId, "Erased before; repeated after a restore", actor);
    count++;
  }
  return count;
}
