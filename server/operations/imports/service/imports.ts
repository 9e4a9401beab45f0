import { entryIn } from "#server/model/audit-log/entry.ts";
import { randomUUID } from "node:crypto";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "#server/people/audit-log/record.ts";
import type { Environment, Actor } from "#server/model/kernel/environment.ts";
import { OperatorError } from "#server/model/kernel/operator-error.ts";
import { printable, reasonFrom } from "#server/model/kernel/input-text.ts";
import type { ImportKind } from "#server/model/imports/items.ts";
import type { Format } from "#server/model/imports/reading.ts";
import * as store from "../store/imports.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

export { type ImportRow, selectImports as listImports } from "../store/imports.ts";
export { type RefusedLine, refusedLines } from "../store/lines.ts";

/** The most pieces in a file, of a quarter of a million characters each. */
const MAX_PIECES = 1_000;
/** The most imports of an environment that hold a file or lines. */
const MAX_OPEN = 5;

interface Begun {
  kind: ImportKind;
  format: Format;
  fileName: string;
  /** The reason in the ledger, for points only. */
  reason: string | null;
  /** Makes creation idempotent: a second import with this id is not created. */
  id?: string;
  /**
   * Runs as soon as it is checked, without webhooks. Events are received when they happened, and enter their players then, so that their
   * consequences are dated in the past. Only for players that have no other writer.
   */
  isUnattended?: boolean;
}

/** Creates an import; the pieces of its file follow. Throws OperatorError. */
export async function createImport(database: Database, environment: Environment, begun: Begun, actor: Actor): Promise<string> {
  const reason = begun.kind === "points" ? reasonFrom(begun.reason ?? "") : null;
  const { id = randomUUID(), isUnattended = false, kind, format, fileName } = begun;
  const enters = isUnattended && kind === "events" ? ("Everybody" as const) : ("Nobody" as const);
  const file = { kind, format, fileName: printable(fileName), reason, isUnattended, enters };
  await transact(database, async (tx) => {
    if ((await store.countOpen(tx, environment.id)) >= MAX_OPEN)
      throw new OperatorError(`${MAX_OPEN} imports of this environment are open. Run or cancel one of them first.`);
    await store.insertImport(tx, { ...file, id, environmentId: environment.id, createdBy: actor.name });
  });
  return id;
}

/** Adds the next piece of a file; repeating one changes nothing. After the last one the file is checked. Throws OperatorError. */
export function addPiece(
  database: Database,
  environment: Environment,
  id: string,
  { number, text, isLast }: { number: number; text: string; isLast: boolean },
): Promise<void> {
  return transact(database, async (tx) => {
    const one = await locked(tx, environment, id);
    if (one.status !== "Uploading") {
      // The piece is sent again because its answer was lost.
      if (one.status !== "Cancelled" && number < one.pieces) return;
      throw new OperatorError("The file of this import is complete.");
    }
    if (number > one.pieces) throw new OperatorError(`Piece ${one.pieces} of the file is missing.`);
    if (number >= MAX_PIECES) throw new OperatorError("The file is too large. Split it into several.");
    await store.insertPiece(tx, environment.id, id, number, text);
    if (isLast) await store.beginChecking(tx, id);
  });
}

/** Starts applying an import's checked lines, with one audit log entry. Throws OperatorError. */
export function startImport(database: Database, environment: Environment, id: string, choices: store.Choices, actor: Actor): Promise<void> {
  return transact(database, async (tx) => {
    const one = await locked(tx, environment, id);
    if (one.status === "Running" || one.status === "Done") return;
    if (one.status !== "Ready") throw new OperatorError("This import cannot be run: it is not checked, or it was cancelled.");
    if (one.refused === one.lines) throw new OperatorError("No line of the file can be imported.");
    const segmentKey = choices.enters === "Segment" ? choices.segmentKey : null;
    if (choices.enters === "Segment") {
      const { segments } = await definitionsOf(tx, environment);
      if (!segments.some(({ key, active }) => key === segmentKey && active))
        throw new OperatorError("Choose a segment that is switched on.");
    }
    await store.beginRunning(tx, id, { ...choices, segmentKey });
    const { kind, lines, refused, reason } = one;
    const { enters, notifies } = choices;
    const difference = { kind, lines: lines - refused, enters: segmentKey ?? enters, notifies, ...(reason !== null && { reason }) };
    await recordChange(tx, entryOf(environment, actor, "run", one.fileName, difference));
  });
}

/** Cancels an import; applied lines stay. A finished import is not changed. Throws OperatorError. */
export function cancelImport(database: Database, environment: Environment, id: string, actor: Actor): Promise<void> {
  return transact(database, async (tx) => {
    const one = await locked(tx, environment, id);
    if (one.status === "Done" || one.status === "Cancelled" || one.status === "Failed") return;
    await store.endImport(tx, id, "Cancelled", null);
    // A file that was only checked has changed nothing.
    if (one.status === "Running") await recordChange(tx, entryOf(environment, actor, "cancel", one.fileName, { applied: one.applied }));
  });
}

const entryOf = (environment: Environment, actor: Actor, action: string, subjectKey: string, difference: object) =>
  entryIn(environment, actor, { action, subjectKind: "dataImport", subjectKey, difference });

async function locked(tx: Transaction, environment: Environment, id: string): Promise<store.ImportRow> {
  const one = await store.lockImport(tx, environment.id, id);
  if (one === null) throw new OperatorError(NOT_THERE);
  return one;
}

export const NOT_THERE = "There is no such import.";

/** An import's progress; null if there is none. */
export const importStatus = async ({ sql }: Database, environment: Environment, id: string): Promise<store.ImportStatus | null> =>
  (await store.selectImport(sql, environment.id, id))?.status ?? null;

/** An import's kind; null if there is none. */
export const kindOfImport = async ({ sql }: Database, environment: Environment, id: string): Promise<ImportKind | null> =>
  (await store.selectImport(sql, environment.id, id))?.kind ?? null;
