import { setImmediate } from "node:timers/promises";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { lockShared } from "#server/engine/store/locks.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { mayHoldBadText, writeJson } from "#server/model/kernel/json.ts";
import { checkColumns, fieldsOf, fingerprintOf } from "#server/model/imports/items.ts";
import { BEGINNING, type Format, type ReadLine, type Reading, Unreadable, readPiece } from "#server/model/imports/reading.ts";
import { type DueImport, failImport, releaseLease, saveChecked } from "../store/imports.ts";
import { type NewLine, countAlike, erasedOf, insertLines, isAnyErased, takePiece } from "../store/lines.ts";
import { type ImportLine, judgeLines } from "./judge.ts";
import { definitionsOf } from "#server/engine/definitions.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { environmentNow, loadEnvironment } from "#server/engine/environment.ts";

/** The import was taken over, cancelled or deleted: this step is rolled back. */
class Lost extends Error {}

/**
 * Reads and validates the next piece of a file: the dry run. It writes only lines of the import. The piece and the read position change in
 * one transaction, so a piece is read once.
 */
export async function checkPiece(database: Database, due: DueImport): Promise<void> {
  try {
    await transact(database, async (tx) => {
      const environment = await loadEnvironment(tx, due.environmentId);
      const piece = await takePiece(tx, due.id, due.piecesRead);
      if (environment === null || piece === null) throw new Lost();
      const isLast = due.piecesRead + 1 === due.pieces;
      const before = due.reading ?? BEGINNING;
      const { lines, reading } = await readInTurns(due.format, before, piece, isLast);
      if (before.header === null && reading.header !== null) checkColumns(due.kind, reading.header.columns);
      if (isLast && due.lines + lines.length === 0) throw new Unreadable("The file has no lines with data.");

      const [definitions, now] = await Promise.all([definitionsOf(tx, environment), environmentNow(tx, environment)]);
      const { sound, unsound } = await shapeLines(due, lines, (record) => fieldsOf(due.kind, due.format, record, definitions));
      giveOrdinals(sound, await countAlike(tx, due.id, [...new Set(sound.map(({ fingerprint }) => fingerprint))]));
      const judged = await judgeLines(tx, due.kind, { environment, definitions, now, reason: due.reason }, sound);
      const rows = await withoutErased(tx, environment, due, [...unsound, ...judged.lines]);
      await insertLines(tx, due.environmentId, due.id, rows);
      const refused = rows.filter(({ problems }) => problems !== null).length;
      const counts = { lines: rows.length, refused, repeated: judged.repeated };
      if (!(await saveChecked(tx, due, { reading, isLast, ...counts }))) throw new Lost();
    });
  } catch (error) {
    if (error instanceof Unreadable) await transact(database, (tx) => failImport(tx, due, error.message));
    else if (error instanceof Lost) await releaseLease(database.sql, due, 1);
    else throw error;
  }
}

/**
 * Leaves out players erased since the import started: an erasure deletes existing lines, and later ones would bring the player back. A line
 * without a player may name one of them in its text, so its text is not kept. The lock blocks further erasures until these lines are
 * committed.
 */
async function withoutErased(tx: Transaction, environment: Environment, due: DueImport, rows: NewLine[]): Promise<NewLine[]> {
  await lockShared(tx, environment.id);
  const keys = new Map(rows.map(({ externalId }) => [externalId, playerKey(environment.id, externalId)]));
  const since = due.createdAt + environment.clockOffsetMs;
  // Erasures that were repeated on a Sandbox whose clock a restored backup has set back may have later instants.
  const now = await environmentNow(tx, (await loadEnvironment(tx, environment.id))!);
  const erased = await erasedOf(tx, [...keys.values()], since, now);
  const kept = erased.size === 0 ? rows : rows.filter(({ externalId }) => !erased.has(keys.get(externalId)!.playerId));
  if (!keys.has("") || !(await isAnyErased(tx, environment.id, since, now))) return kept;
  return kept.map((row) => (row.externalId === "" ? { ...row, item: "{}" } : row));
}

type Shape = (record: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** Characters between two yields to the event loop: with one-character lines, tens of milliseconds. */
const CHARACTERS = 4_096;

/** Like `readPiece`, in parts. Throws Unreadable. */
async function readInTurns(format: Format, before: Reading, piece: string, isLast: boolean): Promise<ReturnType<typeof readPiece>> {
  const lines: ReadLine[] = [];
  let reading = before;
  for (let from = 0; from === 0 || from < piece.length; from += CHARACTERS) {
    const end = from + CHARACTERS;
    const read = readPiece(format, reading, piece.slice(from, end), isLast && end >= piece.length);
    lines.push(...read.lines);
    reading = read.reading;
    await setImmediate();
  }
  return { lines, reading };
}

/** Lines between two yields to the event loop: a few milliseconds. A piece may have a hundred thousand lines. */
const TURN = 500;

/** Separates lines that can be validated from unreadable ones. */
async function shapeLines({ kind, reason }: DueImport, lines: readonly ReadLine[], shape: Shape) {
  const sound: ImportLine[] = [];
  const unsound: NewLine[] = [];
  for (const [at, one] of lines.entries()) {
    if (at % TURN === TURN - 1) await setImmediate();
    const refuse = (item: unknown, problem: string) =>
      unsound.push({ line: one.line, externalId: "", occurredAt: 0, fingerprint: NO_FINGERPRINT, ordinal: 0, item: writeJson(item), problems: [problem] }); // oxfmt-ignore
    if ("problem" in one) refuse({ text: one.text.toWellFormed().replaceAll("\0", "") }, one.problem);
    else if (mayHoldBadText(writeJson(one.record))) refuse({}, "A text of the line has a NUL character or a lone surrogate.");
    else {
      const fields = shape(one.record);
      sound.push({ line: one.line, fields, fingerprint: fingerprintOf(kind, fields, reason), ordinal: 0 });
    }
  }
  return { sound, unsound };
}

const NO_FINGERPRINT = "00000000-0000-0000-0000-000000000000";

/** Identical lines are numbered to distinguish them. */
function giveOrdinals(lines: readonly ImportLine[], before: Map<string, number>): void {
  for (const line of lines) {
    line.ordinal = before.get(line.fingerprint) ?? 0;
    before.set(line.fingerprint, line.ordinal + 1);
  }
}
