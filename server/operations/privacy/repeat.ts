import type { Database } from "#db/client.ts";
import { environmentNow } from "../../engine/environment.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { finishSettling } from "../../game/leaderboards/settlement/settle.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { isUuid } from "../../model/kernel/stored.ts";
import { erasePlayer } from "./erase.ts";
import { type ErasureRow, findErased, insertErasure, selectErasures } from "./store/erasing.ts";

/** An environment's erasures as lines of JSON, to be stored apart from the backups on which they are repeated. */
export async function listErasures({ sql }: Database, { id }: Environment): Promise<string[]> {
  return (await selectErasures(sql, id)).map((row) => JSON.stringify(row));
}

/** Parses a line of `listErasures`. Throws OperatorError. */
function readLine(line: string, number: number): ErasureRow {
  const wrong = new OperatorError(`Line ${number} is not an erasure; write the file with "player erasures".`);
  let row: Partial<ErasureRow>;
  try {
    // Some editors begin a file with a byte order mark, which is trimmed as well.
    row = JSON.parse(line.trim()) as Partial<ErasureRow>;
  } catch {
    throw wrong;
  }
  const { part, playerId, erasedAt } = row;
  if (!Number.isInteger(part) || typeof playerId !== "string" || !isUuid(playerId) || !Number.isInteger(erasedAt)) throw wrong;
  return { part: part!, playerId, erasedAt: erasedAt! };
}

/**
 * Erases players again that a restored backup brought back: those of these lines who were first seen before their erasure. All erasures are
 * recorded with their own instants, also those of players the backup does not know: the next list has them, and an import that brings a new
 * player under such an id knows that it is another one. Idempotent. Returns how many erasures it read, and how many players it erased.
 * Throws OperatorError for an invalid line, before it has done anything.
 */
export async function repeatErasures(
  database: Database,
  environment: Environment,
  lines: readonly string[],
): Promise<{ read: number; erased: number }> {
  const { sql } = database;
  const { id: environmentId } = environment;
  const rows = lines.flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, index + 1)]));
  // An erasure waits for periods that are being settled, and after a restore the service is stopped.
  if (rows.length > 0) await finishSettling(database, environmentId);
  const now = await environmentNow(sql, environment);
  let erased = 0;
  for (const row of rows) {
    // The clock of a restored Sandbox may have gone back.
    const at = Math.min(row.erasedAt, now);
    const externalId = await findErased(sql, environmentId, row);
    if (externalId === null) await insertErasure(sql, { ...row, environmentId }, at, COMMAND_LINE.name);
    else {
      await erasePlayer(database, environment, externalId, "Erased before; repeated after a restore", COMMAND_LINE, at);
      erased++;
    }
  }
  return { read: rows.length, erased };
}
