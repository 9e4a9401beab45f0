import { affected, allValues, type Database, execute, firstRow, hasRow, onlyValue, type Sql, type Transaction } from "#db/client.ts";
import type { ImportKind } from "#server/model/imports/items.ts";
import type { Format, Reading } from "#server/model/imports/reading.ts";

export type ImportStatus = "Uploading" | "Checking" | "Ready" | "Running" | "Done" | "Cancelled" | "Failed";
/** Which players of an import are entered into missions. */
export type Entering = "Nobody" | "Segment" | "Everybody";

/** An import as shown to users. Instants are in real time. */
export interface ImportRow {
  id: string;
  kind: ImportKind;
  format: Format;
  fileName: string;
  status: ImportStatus;
  problem: string | null;
  createdBy: string;
  createdAt: number;
  finishedAt: number | null;
  enters: Entering;
  segmentKey: string | null;
  notifies: boolean;
  reason: string | null;
  pieces: number;
  piecesRead: number;
  /** Lines with data: read, refused, already there before this import, and applied. */
  lines: number;
  refused: number;
  repeated: number;
  applied: number;
}

const isOpen = (sql: Sql) => sql`status in ('Uploading', 'Checking', 'Ready', 'Running')`;

const shown = (sql: Sql) => sql`
  id, kind, format, file_name, status, problem, created_by, created_at, finished_at, enters, segment_key, notifies, reason, pieces,
  pieces_read, lines, refused, repeated, applied`;

/** An environment's imports: open ones first, so that finished ones do not hide them, the newest first of each. */
export const selectImports = (sql: Sql, environmentId: number, limit: number): Promise<ImportRow[]> =>
  sql<
    ImportRow[]
  >`select ${shown(sql)} from imports where environment_id = ${environmentId} order by ${isOpen(sql)} desc, created_at desc, id limit ${limit}`.execute();

/** Locks an import until the transaction ends; null if the environment has none with this id. */
export const lockImport = (tx: Transaction, environmentId: number, id: string) =>
  firstRow(tx<ImportRow[]>`
    select ${shown(tx)} from imports where environment_id = ${environmentId} and id = ${id}::uuid for no key update`);

export const selectImport = (sql: Sql, environmentId: number, id: string) =>
  firstRow(sql<ImportRow[]>`select ${shown(sql)} from imports where environment_id = ${environmentId} and id = ${id}::uuid`);

/**
 * The number of an environment's imports with a file or unapplied lines. Locks the environment, so that two concurrent ones count each
 * other.
 */
export async function countOpen(tx: Transaction, environmentId: number): Promise<number> {
  await tx`select from environments where id = ${environmentId} for no key update`;
  return onlyValue(tx<{ count: number }[]>`
    select count(*) from imports where environment_id = ${environmentId} and ${isOpen(tx)}`);
}

export interface NewImport extends Pick<ImportRow, "id" | "kind" | "format" | "fileName" | "createdBy" | "reason" | "enters"> {
  environmentId: number;
  /** Whether it runs as soon as it is checked; it then enters the players that `enters` names. */
  isUnattended: boolean;
}

/** Creates an import; an existing one is not changed. */
export const insertImport = (
  tx: Transaction,
  { id, environmentId, kind, format, fileName, createdBy, reason, isUnattended, enters }: NewImport,
) =>
  execute(tx`
    insert into imports (id, environment_id, kind, format, file_name, created_by, reason, is_unattended, enters)
    values (${id}, ${environmentId}, ${kind}, ${format}, ${fileName}, ${createdBy}, ${reason}, ${isUnattended}, ${enters})
    on conflict do nothing`);

/** Stores the next piece of a file, and whether it is the last. An existing piece is not changed. */
export async function insertPiece(tx: Transaction, environmentId: number, id: string, number: number, text: string): Promise<void> {
  await tx`
    insert into import_pieces (import_id, number, environment_id, text) values (${id}::uuid, ${number}, ${environmentId}, ${text})
    on conflict do nothing`;
  await tx`update imports set pieces = greatest(pieces, ${number + 1}) where id = ${id}::uuid`;
}

/** Makes the check due: the file is complete. */
export const beginChecking = (tx: Transaction, id: string) =>
  execute(tx`update imports set status = 'Checking', stepped_at = now() where id = ${id}::uuid`);

export type Choices = Pick<ImportRow, "enters" | "segmentKey" | "notifies">;

export const beginRunning = (tx: Transaction, id: string, { enters, segmentKey, notifies }: Choices) =>
  execute(tx`
    update imports set status = 'Running', started_at = now(), stepped_at = now(), enters = ${enters}, segment_key = ${segmentKey},
      notifies = ${notifies}
    where id = ${id}::uuid`);

/** Fails an import, unless it has ended or was taken over. */
export async function failImport(tx: Transaction, { id, lease }: Pick<DueImport, "id" | "lease">, problem: string): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select id from imports where id = ${id}::uuid and lease = ${lease}::uuid and status in ('Checking', 'Running') for no key update`;
  if (rows.length > 0) await endImport(tx, id, "Failed", problem);
}

/** Ends an import; its file and waiting lines are deleted. Refused lines are kept for the report. */
export async function endImport(
  tx: Transaction,
  id: string,
  status: Extract<ImportStatus, "Cancelled" | "Failed">,
  problem: string | null,
): Promise<void> {
  await tx`update imports set status = ${status}, problem = ${problem}, finished_at = now(), reading = null where id = ${id}::uuid`;
  await tx`delete from import_pieces where import_id = ${id}::uuid`;
  await tx`delete from import_lines where import_id = ${id}::uuid and problems is null`;
}

/** An import with a due step, leased for a while. */
export interface DueImport extends Omit<
  ImportRow,
  "fileName" | "problem" | "createdBy" | "finishedAt" | "refused" | "repeated" | "applied"
> {
  environmentId: number;
  status: "Checking" | "Running";
  /** Whether consequences are dated with their events, not now, as for the demo. */
  isUnattended: boolean;
  reading: Reading | null;
  /** The lease's token; never null for its holder. */
  lease: string | null;
}

/**
 * Leases the import that has waited longest, for a minute; null if none is due. If a worker dies, the next one takes over. Imports of
 * archived projects wait.
 */
export const takeDue = (sql: Sql) =>
  firstRow(sql<DueImport[]>`
    update imports set lease = gen_random_uuid(), leased_until = now() + interval '1 minute', stepped_at = now()
    where id = (
      select i.id from imports i join environments e on e.id = i.environment_id join projects p on p.id = e.project_id
      where i.status in ('Checking', 'Running') and (i.leased_until is null or i.leased_until < now()) and p.archived_at is null
      order by i.stepped_at, i.id limit 1 for no key update of i skip locked)
    returning id, environment_id, kind, format, status, enters, segment_key, notifies, is_unattended, reason,
      created_at, pieces, pieces_read, reading, lines, lease`);

/** Extends a lease that is still held. */
export const renewLease = (sql: Sql, { id, lease }: Pick<DueImport, "id" | "lease">) =>
  execute(sql`update imports set leased_until = now() + interval '1 minute' where id = ${id}::uuid and lease = ${lease}::uuid`);

/** Ends a lease; the import is due again after this many seconds. */
export const releaseLease = (sql: Sql, { id, lease }: Pick<DueImport, "id" | "lease">, seconds: number) =>
  execute(sql`
    update imports set lease = null, leased_until = now() + make_interval(secs => ${seconds}::float8)
    where id = ${id}::uuid and lease = ${lease}::uuid`);

/** Saves a step's result; true if the lease was still valid. Otherwise nothing is written, and the caller rolls back. */
export const saveChecked = (
  tx: Transaction,
  { id, lease }: Pick<DueImport, "id" | "lease">,
  { reading, lines, refused, repeated, isLast }: { reading: Reading; lines: number; refused: number; repeated: number; isLast: boolean },
) =>
  hasRow(tx<{ id: string }[]>`
    update imports set reading = case when ${isLast}::bool then null else ${JSON.stringify(reading)}::text::jsonb end, pieces_read = pieces_read + 1,
      lines = lines + ${lines}::int, refused = refused + ${refused}::int, repeated = repeated + ${repeated}::int,
      status = case when not ${isLast}::bool then status when is_unattended then 'Running' else 'Ready' end,
      started_at = case when ${isLast}::bool and is_unattended then now() else started_at end, lease = null, leased_until = null
    where id = ${id}::uuid and lease = ${lease}::uuid and status = 'Checking' returning id`);

/** Saves an applied slice. An import cancelled meanwhile stays cancelled, but counts the lines. */
export const saveApplied = (
  tx: Transaction,
  { id, lease }: Pick<DueImport, "id" | "lease">,
  { applied, refused, isLast }: { applied: number; refused: number; isLast: boolean },
) =>
  hasRow(tx<{ id: string }[]>`
    update imports set applied = applied + ${applied}::int, refused = refused + ${refused}::int,
      status = case when ${isLast}::bool and status = 'Running' then 'Done' else status end,
      finished_at = case when ${isLast}::bool and status = 'Running' then now() else finished_at end, lease = null, leased_until = null
    where id = ${id}::uuid and lease = ${lease}::uuid returning id`);

const LINES_AT_ONCE = 10_000;

/** Deletes stale data: day-old uploads, month-old checked files, and refused lines of imports that ended a month ago. */
export async function deleteOldImports(sql: Database["sql"]): Promise<void> {
  await sql.begin(async (tx) => {
    const old = await allValues(tx<{ id: string }[]>`
      delete from imports where status = 'Uploading' and created_at < now() - interval '1 day'
        or status = 'Ready' and created_at < now() - interval '30 days'
      returning id`);
    if (old.length === 0) return;
    // A statement of its own sees a piece that was added while the first one waited.
    await tx`delete from import_pieces where import_id = any(${old}::uuid[])`;
    await tx`delete from import_lines where import_id = any(${old}::uuid[])`;
  });
  // In slices: an erasure, which keeps the whole environment waiting, waits for the lines of its player.
  const deleteSlice = () =>
    affected(sql`
      delete from import_lines where ctid = any(array(
        select l.ctid from import_lines l join imports i on i.id = l.import_id
        where i.finished_at < now() - interval '30 days' limit ${LINES_AT_ONCE}))`);
  while ((await deleteSlice()) === LINES_AT_ONCE);
}
