import type { Sql } from "#db/client.ts";
import type { Text } from "#server/model/kernel/texts.ts";

/** How a report names a definition. */
export interface NamedDefinition {
  id: number;
  kind: string;
  key: string;
  active: boolean;
  name: Text | null;
}

/** The definitions of some kinds, by id. */
export async function selectNames(sql: Sql, environmentId: number, kinds: readonly string[]): Promise<Map<number, NamedDefinition>> {
  const rows = await sql<NamedDefinition[]>`
    select id, kind, key, active, body -> 'name' as name from definitions
    where environment_id = ${environmentId} and kind = any(${kinds as string[]}::text[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

export interface Valuation {
  points: number;
  /** Exact decimal text. */
  amount: string;
  currency: string;
  /** RFC 3339. */
  effectiveFrom: string;
}

/** The value of points, with the instants from which each valuation holds. */
export const selectValuations = (sql: Sql, environmentId: number): Promise<Valuation[]> =>
  sql<Valuation[]>`
    select coalesce((body ->> 'points')::bigint, 0) as points, coalesce(body ->> 'amount', '') as amount, coalesce(body ->> 'currency', '') as currency,
      coalesce(body ->> 'effectiveFrom', key) as "effectiveFrom"
    from definitions where environment_id = ${environmentId} and kind = 'pointsValuations' and active`.execute();
