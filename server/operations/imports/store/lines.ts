import { firstValue, hasRow, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "#server/model/kernel/json.ts";
import { arrayText } from "#server/model/kernel/stored.ts";
import type { PlayerKey } from "#server/model/kernel/player.ts";

/** A line of an import. Ordered by `occurredAt` (epoch milliseconds), then by its number in the file. */
export interface NewLine {
  line: number;
  externalId: string;
  occurredAt: number;
  fingerprint: string;
  ordinal: number;
  /** JSON text. */
  item: string;
  /** Why the line is refused; null: it is to be applied. */
  problems: string[] | null;
}

/** Deletes a piece of a file and returns its text; null if there is none. */
export const takePiece = (tx: Transaction, importId: string, number: number) =>
  firstValue(tx<{ text: string }[]>`
    delete from import_pieces where import_id = ${importId}::uuid and number = ${number} returning text`);

/** The number of existing lines of an import with the same content, by fingerprint. */
export async function countAlike(tx: Transaction, importId: string, fingerprints: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx<{ fingerprint: string; count: number }[]>`
    select fingerprint, count(*) from import_lines
    where import_id = ${importId}::uuid and fingerprint = any(${fingerprints as string[]}::uuid[]) group by fingerprint`;
  return new Map(rows.map(({ fingerprint, count }) => [fingerprint, count]));
}

export async function insertLines(tx: Transaction, environmentId: number, importId: string, lines: readonly NewLine[]): Promise<void> {
  if (lines.length === 0) return;
  await tx`
    insert into import_lines (import_id, line, environment_id, external_id, occurred_at, fingerprint, ordinal, item, problems)
    select ${importId}::uuid, line, ${environmentId}::int, "externalId", to_timestamp("occurredAt" / 1000), fingerprint, ordinal, item::json, problems
    from json_to_recordset(${writeJson(lines)}::text::json) as r("line" int, "externalId" text, "occurredAt" float8, "fingerprint" uuid,
      "ordinal" int, "item" text, "problems" text[])`;
}

/** A line to apply. */
export interface WaitingLine {
  line: number;
  externalId: string;
  item: Readonly<Record<string, unknown>>;
}

/** The first waiting lines, in order. */
export const waitingLines = (sql: Sql, importId: string, limit: number): Promise<WaitingLine[]> =>
  sql<WaitingLine[]>`
    select line, external_id, item from import_lines where import_id = ${importId}::uuid and problems is null
    order by occurred_at, line limit ${limit}::int`.execute();

/** Deletes applied lines; lines refused while applying stay, with their problems. */
export async function settleLines(
  tx: Transaction,
  importId: string,
  lines: readonly number[],
  refused: readonly { line: number; problems: string[] }[],
): Promise<void> {
  if (refused.length > 0)
    await tx`
      update import_lines l set problems = r.problems
      from json_to_recordset(${writeJson(refused)}::text::json) as r("line" int, "problems" text[])
      where l.import_id = ${importId}::uuid and l.line = r.line`;
  await tx`
    delete from import_lines where import_id = ${importId}::uuid and line = any(${lines as number[]}::int[]) and problems is null`;
}

/** A refused line for display. `content` is JSON text. */
export interface RefusedLine {
  line: number;
  problems: string[];
  content: string;
}

export const refusedLines = (sql: Sql, importId: string, after: number, limit: number): Promise<RefusedLine[]> =>
  sql<RefusedLine[]>`
    select line, coalesce(problems, '{}') as problems, item::text as content from import_lines
    where import_id = ${importId}::uuid and problems is not null and line > ${after}::int order by line limit ${limit}::int`.execute();

/** Whether any player was erased between two instants (epoch milliseconds, the environment's clock). */
export const isAnyErased = (sql: Sql, environmentId: number, since: number, until: number) =>
  hasRow(
    sql<{ at: number }[]>`
      select erased_at as at from erasures
      where environment_id = ${environmentId} and erased_at between ${since} and ${until} limit 1`,
  );

/** Which of these players were erased since an instant, or between two (epoch milliseconds, the environment's clock). */
export async function erasedOf(sql: Sql, keys: readonly PlayerKey[], since: number, until: number | null = null): Promise<Set<string>> {
  const rows = await sql<{ playerId: string }[]>`
    select e.player_id
    from unnest(${arrayText(keys.map(({ part }) => part))}::text::smallint[], ${arrayText(keys.map(({ playerId }) => playerId))}::text::uuid[]) as k(part, player_id)
    join erasures e on e.part = k.part and e.player_id = k.player_id and e.erased_at >= ${since}
    where e.erased_at <= coalesce(${until}::timestamptz, 'infinity')`;
  return new Set(rows.map(({ playerId }) => playerId));
}
