import { firstRow, type Sql, type Transaction } from "#db/client.ts";
import { ON_WORKERS, PERIODS_OF_ENVIRONMENT, type TableName, tablesWhere } from "#db/tables.ts";

/** A project that is to be deleted, with its environments. */
export interface RemovedProject {
  id: string;
  environmentIds: number[];
}

/** Claims a test project archived at least `graceMs` ago, until the transaction ends; null if none is left unclaimed. */
export const claimRemoved = (tx: Transaction, graceMs: number) =>
  firstRow(tx<RemovedProject[]>`
    with claimed as materialized (
      select id from projects p
      where test_of is not null and archived_at <= now() - ${graceMs}::float8 * interval '1 ms'
      order by archived_at limit 1 for update skip locked
    )
    select id, array(select e.id from environments e where e.project_id = claimed.id order by e.id) as environment_ids from claimed`);

/** Deletes at most `limit` players, or anonymous owners left by erasures, with all rows keyed by them; returns their number. */
async function deleteOwners(tx: Transaction, table: "players" | "anonymous_owners", environmentId: number, limit: number): Promise<number> {
  const gone = tablesWhere({ by: "player" }).map(
    (one) => `${one}_gone as (delete from ${one} t using page where t.part = page.part and t.player_id = page.player_id)`,
  );
  const [row] = await tx.unsafe<{ count: number }[]>(
    `with next as materialized (select part, player_id from ${table} where environment_id = $1 limit $2),
    page as (
      delete from ${table} p using next where p.environment_id = $1 and p.part = next.part and p.player_id = next.player_id
      returning p.part, p.player_id
    ), ${gone.join(", ")}
    select count(*)::int as count from page`,
    [environmentId, limit],
  );
  return row!.count;
}

/** Deletes at most `limit` rows of a table that meet a condition with one parameter; returns their number. */
async function deleteSome(sql: Sql, table: string, condition: string, parameter: string | number, limit: number): Promise<number> {
  const { count } = await sql.unsafe(
    `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${limit}))`,
    [parameter],
  );
  return count;
}

/** The same for a table of the players, by key: with several machines, ctids are not unique. */
async function deleteByKey(sql: Sql, table: string, column: string, query: string, environmentId: number, limit: number): Promise<number> {
  const { count } = await sql.unsafe(
    `with next as materialized (select part, player_id, ${column} from ${table} where ${column} in (${query}) limit $2)
    delete from ${table} t using next n where t.part = n.part and t.player_id = n.player_id and t.${column} = n.${column}`,
    [environmentId, limit],
  );
  return count;
}

/** Deletes at most `limit` deliveries with their attempts and answers; returns their number. */
async function deleteDeliveries(tx: Transaction, condition: string, environmentId: number, limit: number): Promise<number> {
  const gone = tablesWhere({ by: "delivery" }).map(
    (one) => `${one}_gone as (delete from ${one} t using page where t.delivery_id = page.id)`,
  );
  const [row] = await tx.unsafe<{ count: number }[]>(
    `with page as (
      delete from webhook_deliveries where ctid = any(array(select ctid from webhook_deliveries where ${condition} limit $2)) returning id
    ), ${gone.join(", ")}
    select count(*)::int as count from page`,
    [environmentId, limit],
  );
  return row!.count;
}

/** A step of a removal deletes at most `limit` rows and returns their number. */
type Step = (tx: Transaction, limit: number) => Promise<number>;

/** The steps that delete an environment's rows, in order. The caller holds the lock of its players exclusively. */
export function stepsOfEnvironment(environmentId: number): Step[] {
  const where =
    (table: string, condition: string): Step =>
    (tx, limit) =>
      deleteSome(tx, table, condition, environmentId, limit);
  const found = (table: TableName, column: string, query: string): Step =>
    ON_WORKERS.some((one) => one === table)
      ? (tx, limit) => deleteByKey(tx, table, column, query, environmentId, limit)
      : where(table, `${column} in (${query})`);
  return [
    // Queued facts first: they would be applied to players who are being deleted.
    where("queued_facts", "environment_id = $1"),
    (tx, limit) => deleteOwners(tx, "players", environmentId, limit),
    (tx, limit) => deleteOwners(tx, "anonymous_owners", environmentId, limit),
    found("segment_members", "segment_id", "select segment_id from segment_counts where environment_id = $1"),
    where("erasures", "environment_id = $1"),
    ...tablesWhere({ by: "period" }).map((table) => found(table, "period_id", PERIODS_OF_ENVIRONMENT)),
    // First by the endpoints' index; then deliveries of deleted endpoints, which scans the whole outbox once.
    ...["endpoint_id in (select id from webhook_endpoints where environment_id = $1)", "environment_id = $1"].map(
      (condition): Step =>
        (tx, limit) =>
          deleteDeliveries(tx, condition, environmentId, limit),
    ),
    ...tablesWhere({ by: "mailing" }).map((table) => found(table, "mailing", "select mailing from notices where environment_id = $1")),
    ...tablesWhere({ by: "environment" }).map((table) => where(table, "environment_id = $1")),
  ];
}

/** The last steps: the rows of the whole project, then the project. */
export function stepsOfProject(projectId: string): Step[] {
  const steps = tablesWhere({ by: "project" }).map(
    (table): Step =>
      // Parts of an audit entry refer to it, so all entries are deleted in one statement.
      (tx, limit) =>
        deleteSome(tx, table, "project_id = $1", projectId, table === "audit_log" ? 1_000_000 : limit),
  );
  return [...steps, (tx) => deleteSome(tx, "projects", "id = $1", projectId, 1)];
}
