import type { Sql, Transaction } from "../../db/client.ts";
import { writeJson } from "../kernel/json.ts";
import { inParts } from "../kernel/steps.ts";
import type { DefinitionRow } from "./stored.ts";

type Origin = Pick<DefinitionRow, "discovered" | "discoveredProperties">;
type NewRow = Pick<DefinitionRow, "kind" | "key" | "active" | "body"> & Partial<Origin>;
/** What was discovered stays as it is where nothing is said of it. */
type ChangedRow = Pick<DefinitionRow, "id" | "active" | "body"> & Partial<Pick<Origin, "discoveredProperties">>;

/** Everything an environment defines, in the order of creation. */
export function loadDefinitions(sql: Sql, environmentId: number): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select id, kind, key, active, body, (extract(epoch from created_at) * 1000)::bigint as "createdAt",
      (extract(epoch from updated_at) * 1000)::bigint as "updatedAt", (extract(epoch from changed_at) * 1000)::bigint as "changedAt",
      discovered, to_json(discovered_properties) as "discoveredProperties"
    from definitions where environment_id = ${environmentId}::int order by id`.execute();
}

/** Rows written by one statement: to write the JSON of ten thousand would hold the process for long. */
const ROWS_AT_ONCE = 1_000;

/** Ids are given in the order of the list: it is the order of creation from then on. */
export async function insertDefinitions(tx: Transaction, environmentId: number, now: number, rows: readonly NewRow[]): Promise<void> {
  for (const some of inParts(rows, ROWS_AT_ONCE)) await insertSome(tx, environmentId, now, some);
}

async function insertSome(tx: Transaction, environmentId: number, now: number, rows: readonly NewRow[]): Promise<void> {
  const numbered = rows.map((row, ordinal) => ({ ordinal, ...row }));
  await tx`
    insert into definitions (environment_id, kind, key, active, body, discovered, discovered_properties, created_at, updated_at)
    select ${environmentId}::int, kind, key, active, body, coalesce(discovered, false), coalesce("discoveredProperties", '{}'),
      to_timestamp(${now / 1000}::float8), to_timestamp(${now / 1000}::float8)
    from json_to_recordset(${writeJson(numbered)}::text::json)
      as r("ordinal" int, "kind" text, "key" text, "active" boolean, "body" jsonb, "discovered" boolean, "discoveredProperties" text[])
    order by ordinal`;
}

export async function updateDefinitions(tx: Transaction, now: number, rows: readonly ChangedRow[]): Promise<void> {
  for (const some of inParts(rows, ROWS_AT_ONCE)) {
    await tx`
      update definitions d set active = r.active, body = r.body, updated_at = to_timestamp(${now / 1000}::float8), changed_at = now(),
        discovered_properties = coalesce(r."discoveredProperties", d.discovered_properties)
      from json_to_recordset(${writeJson(some)}::text::json) as r("id" int, "active" boolean, "body" jsonb, "discoveredProperties" text[])
      where d.id = r.id`;
  }
}

export async function deleteDefinitions(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx`delete from definitions where id = any(${ids as number[]}::int[])`;
}

/** When each definition of a kind was last written, by its id; on the environment's clock. */
export async function loadEditInstants(sql: Sql, environmentId: number, kind: string): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; editedAt: number }[]>`
    select id, (extract(epoch from updated_at) * 1000)::bigint as "editedAt"
    from definitions where environment_id = ${environmentId}::int and kind = ${kind}`;
  return new Map(rows.map(({ id, editedAt }) => [id, editedAt]));
}

/** Whether an amount was ever added to one of these metrics. */
export async function haveTotals(sql: Sql, metricIds: readonly number[]): Promise<boolean> {
  if (metricIds.length === 0) return false;
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from metric_totals where definition_id = any(${metricIds as number[]}::int[])) as found`;
  return row?.found === true;
}
