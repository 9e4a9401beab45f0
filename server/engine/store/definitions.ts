import { execute, firstValue, type Sql, type Transaction } from "#db/client.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { inParts } from "../../model/kernel/steps.ts";
import { type DefinitionRow, ROLLUP, SETTINGS } from "../../model/definitions/stored.ts";
import type { Author } from "../../model/definitions/versions.ts";

type Origin = Pick<DefinitionRow, "discovered" | "discoveredProperties">;
type NewRow = Pick<DefinitionRow, "kind" | "key" | "active" | "body"> & Partial<Origin>;
/** The discovery marks stay unchanged unless given. */
type ChangedRow = Pick<DefinitionRow, "id" | "active" | "body"> & Partial<Pick<Origin, "discoveredProperties">>;

/**
 * Everything an environment defines, in the order of creation. `written` restricts it to what this transaction has written: its
 * `changed_at` is `now()`, the instant at which the transaction began. Rows that an earlier one wrote in the same millisecond are included,
 * unchanged.
 */
export function loadDefinitions(sql: Sql, environmentId: number, { written = false } = {}): Promise<DefinitionRow[]> {
  return sql<DefinitionRow[]>`
    select id, kind, key, active, body, created_at, updated_at, changed_at, discovered, to_json(discovered_properties) as discovered_properties
    from definitions
    where environment_id = ${environmentId}::int and (not ${written} or changed_at = now()::timestamptz(3)) order by id`.execute();
}

/** Rows per statement: serializing ten thousand in one go would block the process. */
const ROWS_AT_ONCE = 1_000;

/**
 * Ids are given in the order of the list: it is the order of creation from then on. Each statement that writes definitions also writes
 * their next versions. Version numbers cannot collide: writers hold the environment lock exclusively.
 */
export async function insertDefinitions(
  tx: Transaction,
  environmentId: number,
  now: number,
  rows: readonly NewRow[],
  author: Author,
): Promise<void> {
  for (const some of inParts(rows, ROWS_AT_ONCE)) await insertSome(tx, environmentId, now, some, author);
}

async function insertSome(tx: Transaction, environmentId: number, now: number, rows: readonly NewRow[], author: Author): Promise<void> {
  const numbered = rows.map((row, ordinal) => ({ ordinal, ...row }));
  await tx`
    with written as (
      insert into definitions (environment_id, kind, key, active, body, discovered, discovered_properties, created_at, updated_at)
      select ${environmentId}::int, kind, key, active, body, coalesce(discovered, false), coalesce("discoveredProperties", '{}'),
        ${now}::timestamptz, ${now}::timestamptz
      from json_to_recordset(${writeJson(numbered)}::text::json)
        as r("ordinal" int, "kind" text, "key" text, "active" boolean, "body" jsonb, "discovered" boolean, "discoveredProperties" text[])
      order by ordinal
      returning environment_id, kind, key, active, body
    ) ${nextVersions(tx, author)}`;
}

export async function updateDefinitions(tx: Transaction, now: number, rows: readonly ChangedRow[], author: Author): Promise<void> {
  for (const some of inParts(rows, ROWS_AT_ONCE)) {
    await tx`
      with written as (
        update definitions d set active = r.active, body = r.body, updated_at = ${now}, changed_at = now(),
          discovered_properties = coalesce(r."discoveredProperties", d.discovered_properties)
        from json_to_recordset(${writeJson(some)}::text::json) as r("id" int, "active" boolean, "body" jsonb, "discoveredProperties" text[])
        where d.id = r.id
        returning d.environment_id, d.kind, d.key, d.active, d.body
      ) ${nextVersions(tx, author)}`;
  }
}

/** Their histories stay, and end with an empty version. */
export async function deleteDefinitions(tx: Transaction, ids: readonly number[], author: Author): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    with written as (
      delete from definitions where id = any(${ids as number[]}::int[])
      returning environment_id, kind, key, null::boolean as active, null::jsonb as body
    ) ${nextVersions(tx, author)}`;
}

/** Deletes a definition that is being replaced under its key; the new version follows. */
export const deleteReplaced = (tx: Transaction, id: number) => execute(tx`delete from definitions where id = ${id}::int`);

/** Each write adds a version to its definition. The history of the environment's settings is in the audit log. */
const nextVersions = (tx: Transaction, { actor, via, approval = null }: Author) => tx`
  insert into definition_versions (environment_id, kind, key, version, active, body, user_id, actor, token, via, request_id, approver)
  select w.environment_id, w.kind, w.key, 1 + coalesce((
      select max(v.version) from definition_versions v
      where v.environment_id = w.environment_id and v.kind = w.kind and v.key = w.key
    ), 0), w.active, w.body, ${actor.userId}::uuid, ${actor.name}, ${actor.token ?? null}::text, ${via},
    ${approval?.requestId ?? null}::uuid, ${approval?.approver ?? null}::text
  from written w where w.kind <> ${SETTINGS.kind}`;

/** Rollups have no author and no versions. */
export async function insertRollups(tx: Transaction, environmentId: number, now: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx`
    insert into definitions (environment_id, kind, key, active, body, created_at, updated_at)
    select ${environmentId}::int, ${ROLLUP}, key, true, '{}', ${now}::timestamptz, ${now}::timestamptz
    from unnest(${keys as string[]}::text[]) with ordinality as r (key, ordinal) order by ordinal`;
}

export async function deleteRollups(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx`delete from definitions where id = any(${ids as number[]}::int[]) and kind = ${ROLLUP}`;
}

/** When each definition of a kind was last written, by its id; on the environment's clock. */
export async function loadEditInstants(sql: Sql, environmentId: number, kind: string): Promise<Map<number, number>> {
  const rows = await sql<{ id: number; editedAt: number }[]>`
    select id, updated_at as edited_at
    from definitions where environment_id = ${environmentId}::int and kind = ${kind}`;
  return new Map(rows.map(({ id, editedAt }) => [id, editedAt]));
}

/** Funnels count entries from this instant on the environment's clock; null: all entries. */
export const selectFunnelsSince = (sql: Sql, environmentId: number) =>
  firstValue(sql<{ since: number | null }[]>`
    select funnels_since as since from environments where id = ${environmentId}::int`);
