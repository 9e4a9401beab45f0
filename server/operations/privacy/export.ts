import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { OperatorError } from "../../model/kernel/operator-error.ts";
import { reasonFrom } from "../../model/kernel/input-text.ts";
import { playerKey } from "../../model/players/identity.ts";
import { playerEntry } from "../../game/players/service/players.ts";
import { isThere } from "./store/erasing.ts";
import { readSection, type ExportSection, SECTION_NAMES } from "./store/exporting.ts";

export interface ExportCursor {
  section: ExportSection;
  after: string;
}

export interface ExportPage {
  section: ExportSection;
  /** Each row is JSON text. */
  rows: string[];
  next: ExportCursor | null;
}

/** Rows per page; fewer where they are large. */
const PAGE = 500;

/** Starts an export of all stored data of a player: writes an audit log entry, with the reason. Throws OperatorError. */
export function beginExport(
  database: Database,
  environment: Environment,
  externalId: string,
  reason: string,
  actor: Actor,
): Promise<ExportCursor> {
  const why = reasonFrom(reason);
  return transact(database, async (tx) => {
    if (!(await isThere(tx, playerKey(environment.id, externalId))))
      throw new OperatorError("There is no such player in this environment.");
    await recordChange(tx, playerEntry(environment, actor, "export", externalId, { reason: why }));
    return { section: SECTION_NAMES[0], after: "" };
  });
}

/** A page of an export, section by section. Rows written meanwhile may or may not be included. */
export async function exportPage(
  { sql }: Database,
  environment: Environment,
  externalId: string,
  { section, after }: ExportCursor,
  limit = PAGE,
): Promise<ExportPage> {
  const rows = await readSection(sql, section, playerKey(environment.id, externalId), after, limit);
  const following = SECTION_NAMES[SECTION_NAMES.indexOf(section) + 1];
  const isOver = rows.length < limit && rows.at(-1)?.isFull !== true;
  const next = !isOver ? { section, after: rows.at(-1)!.place } : following === undefined ? null : { section: following, after: "" };
  return { section, rows: rows.map(({ json }) => json), next };
}
