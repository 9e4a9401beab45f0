import type { Database } from "#db/client.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { finishSettling } from "../../game/leaderboards/settlement/settle.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { isUuid } from "../../model/kernel/stored.ts";
import { playerKey } from "../../model/players/identity.ts";
import { erasePlayer } from "./erase.ts";
import { deleteImported, type ErasureRow, findErased, importedIds, insertErasure, isRecorded, selectErasures } from "./store/erasing.ts";

/** An environment's erasures as lines of JSON, to be stored apart from the backups on which they are repeated. */
export async function listErasures({ sql }: Database, { id }: Environment): Promise<string[]> {
  return (await selectErasures(sql, id)).map((row) => JSON.stringify(row));
}

/** Parses a line of the environment's `listErasures`. Throws OperatorError. */
function readLine(line: string, number: number, { id }: Environment): ErasureRow {
  const wrong = new OperatorError(`Line ${number} is not an erasure; write the file with "player erasures".`);
  let row: Partial<ErasureRow> | null;
  try {
    // Some editors begin a file with a byte order mark, which is trimmed as well.
    row = JSON.parse(line.trim()) as Partial<ErasureRow> | null;
  } catch {
    throw wrong;
  }
  if (row === null) throw wrong;
  const { environmentId = id, part, playerId, erasedAt } = row;
  if (!Number.isInteger(part) || typeof playerId !== "string" || !isUuid(playerId) || !Number.isInteger(erasedAt)) throw wrong;
  if (environmentId !== id) throw new OperatorError(`Line ${number} is an erasure of another environment.`);
  return { environmentId, part: part!, playerId, erasedAt: erasedAt! };
}

/**
 * Erases players again that a restored backup brought back: those of these lines who were first seen before their erasure. All erasures are
 * recorded with their own instants, also those of players the backup does not know, so that the next list has them. One that is recorded
 * already is skipped. Returns how many erasures it read, and how many players it erased. Throws OperatorError for an invalid line, before
 * it has done anything.
 */
export async function repeatErasures(
  database: Database,
  environment: Environment,
  lines: readonly string[],
): Promise<{ read: number; erased: number }> {
  const { sql } = database;
  const rows = lines.flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, index + 1, environment)]));
  // An erasure waits for periods that are being settled, and after a restore the service is stopped.
  if (rows.length > 0) await finishSettling(database, environment.id);
  const ids = rows.length === 0 ? [] : await importedIds(sql, environment.id);
  const importedBy = new Map(ids.map((externalId) => [playerKey(environment.id, externalId).playerId, externalId]));
  let erased = 0;
  for (const row of rows) {
    if (await isRecorded(sql, row)) continue;
    const externalId = await findErased(sql, row);
    if (externalId === null) {
      // A checked import may be about a player whom the backup does not know yet.
      const imported = importedBy.get(row.playerId);
      if (imported !== undefined) await deleteImported(sql, environment.id, imported, row.erasedAt - environment.clockOffsetMs);
      await insertErasure(sql, row, row.erasedAt, COMMAND_LINE.name);
    } else {
      try {
        await erasePlayer(database, environment, externalId, "Erased before; repeated after a restore", COMMAND_LINE, row.erasedAt);
        erased++;
      } catch (error) {
        // Another run of this command may have erased the player meanwhile.
        if (!(await isRecorded(sql, row))) throw error;
      }
    }
  }
  return { read: rows.length, erased };
}
