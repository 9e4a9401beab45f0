import { randomUUID } from "node:crypto";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { printable } from "../../model/kernel/printable.ts";
import { reasonFrom } from "../../model/kernel/reason.ts";
import type { Actor } from "../../model/kernel/roles.ts";
import type { ImportKind } from "../../model/imports/items.ts";
import type { Format } from "../../model/imports/reading.ts";
import * as store from "./store.ts";
import { definitionsOf } from "../../engine/definitions.ts";

export { type ImportRow, selectImports as listImports } from "./store.ts";
export { type RefusedLine, refusedLines } from "./store/lines.ts";

/** A file is at most so many pieces, of a quarter of a million characters each. */
export const MOST_PIECES = 1_000;
/** Imports of an environment that hold a file or lines. */
const MOST_OPEN = 5;

interface Begun {
  kind: ImportKind;
  format: Format;
  fileName: string;
  /** Of points alone. */
  reason: string | null;
  /** Where the same import may be begun again: a second one with this id is none. */
  id?: string;
  /**
   * It runs as soon as it is checked, without notifying. Its events are received when they happened, and enter their players then: what
   * they lead to has its place in the past. For players whom nobody else writes for.
   */
  isUnattended?: boolean;
}

/** Makes room for a file; its pieces follow. Throws OperatorError. */
export async function createImport(database: Database, environment: Environment, begun: Begun, actor: Actor): Promise<string> {
  const reason = begun.kind === "points" ? reasonFrom(begun.reason ?? "") : null;
  const { id = randomUUID(), isUnattended = false, kind, format, fileName } = begun;
  const enters = isUnattended && kind === "events" ? ("Everybody" as const) : ("Nobody" as const);
  const file = { kind, format, fileName: printable(fileName), reason, isUnattended, enters };
  await transact(database, async (tx) => {
    if ((await store.countOpen(tx, environment.id)) >= MOST_OPEN)
      throw new OperatorError(`${MOST_OPEN} imports of this environment are open. Run or cancel one of them first.`);
    await store.insertImport(tx, { ...file, id, environmentId: environment.id, createdBy: actor.name });
  });
  return id;
}

/** Takes the next piece of a file; the same one again changes nothing. After the last one the file is checked. Throws OperatorError. */
export function addPiece(
  database: Database,
  environment: Environment,
  id: string,
  { number, text, isLast }: { number: number; text: string; isLast: boolean },
): Promise<void> {
  return transact(database, async (tx) => {
    const one = await locked(tx, environment, id);
    if (one.status !== "Uploading") {
      // The answer to this piece was lost, and it is sent again.
      if (one.status === "Checking" && number < one.pieces) return;
      throw new OperatorError("The file of this import is complete.");
    }
    if (number > one.pieces) throw new OperatorError(`Piece ${one.pieces} of the file is missing.`);
    if (number >= MOST_PIECES) throw new OperatorError("The file is too large. Split it into several.");
    await store.insertPiece(tx, environment.id, id, number, text);
    if (isLast) await store.beginChecking(tx, id);
  });
}

/** Has the checked lines of an import applied, with one line in the audit log. Throws OperatorError. */
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
    const difference = {
      kind: one.kind,
      lines: one.lines - one.refused,
      enters: segmentKey ?? choices.enters,
      notifies: choices.notifies,
      ...(one.reason !== null && { reason: one.reason }),
    };
    await recordChange(tx, entryOf(environment, actor, "run", one.fileName, difference));
  });
}

/** Ends an import; what was applied stays. One that ended already stays as it is. Throws OperatorError. */
export function cancelImport(database: Database, environment: Environment, id: string, actor: Actor): Promise<void> {
  return transact(database, async (tx) => {
    const one = await locked(tx, environment, id);
    if (one.status === "Done" || one.status === "Cancelled" || one.status === "Failed") return;
    await store.endImport(tx, id, "Cancelled", null);
    // A file that was only looked at has changed nothing.
    if (one.status === "Running") await recordChange(tx, entryOf(environment, actor, "cancel", one.fileName, { applied: one.applied }));
  });
}

const entryOf = (environment: Environment, actor: Actor, action: string, subjectKey: string, difference: object) => ({
  projectId: environment.projectId,
  environmentId: environment.id,
  actor,
  action,
  subjectKind: "dataImport",
  subjectKey,
  difference,
});

async function locked(tx: Transaction, environment: Environment, id: string): Promise<store.ImportRow> {
  const one = await store.lockImport(tx, environment.id, id);
  if (one === null) throw new OperatorError(NOT_THERE);
  return one;
}

export const NOT_THERE = "There is no such import.";

/** How far an import is; null where there is none. */
export const importStatus = async ({ sql }: Database, environment: Environment, id: string): Promise<store.ImportStatus | null> =>
  (await store.selectImport(sql, environment.id, id))?.status ?? null;

/** The kind of an import; null where there is none. */
export const kindOfImport = async ({ sql }: Database, environment: Environment, id: string): Promise<ImportKind | null> =>
  (await store.selectImport(sql, environment.id, id))?.kind ?? null;
