import type { Database, Transaction } from "../client.ts";
import { OperatorError } from "../../server/model/kernel/operator-error.ts";
import { replaceFunctions } from "../scripts.ts";
import { openChanges } from "./state.ts";
import { ON_WORKERS } from "../tables.ts";

/** A machine of the database, as the others reach it. */
export interface Node {
  host: string;
  port: number;
}

export interface Distribution {
  /** How the workers reach the coordinator; needed once, with the first worker. */
  coordinator: Node | null;
  /** Machines to add. */
  workers: readonly Node[];
  /** The number of shards; it cannot change later. */
  shards: number;
  /** A dry run: changes nothing. */
  isDryRun: boolean;
}

/** One step that was done, or that a dry run would do. */
export interface Step {
  /** A table, or a machine as host:port. */
  subject: string;
  outcome: "added" | "known already" | "distributed" | "distributed already";
  /** Rows of a table, as the planner estimates them; null of a machine. */
  rows: number | null;
}

/**
 * Spreads the tables of player data over the workers of a Citus coordinator, by `part`. All tables move in one transaction: it takes as
 * long as copying them, blocks all writes, and undoes everything on failure. It skips finished work, so that it may be called again, with
 * more workers too. It calls functions of Citus, so a plain PostgreSQL cannot check these statements. Throws OperatorError.
 */
export async function distribute(database: Database, distribution: Distribution): Promise<Step[]> {
  const { sql } = database;
  const [server] = await sql<{ isAvailable: boolean; isInstalled: boolean }[]>`
    select exists (select from pg_available_extensions where name = 'citus') as is_available,
      exists (select from pg_extension where extname = 'citus') as is_installed`;
  if (server?.isAvailable !== true)
    throw new OperatorError(
      "This database server does not have Citus. Install it on the coordinator and on every worker (docs/scaling.md).",
    );
  if (!server.isInstalled && distribution.isDryRun)
    throw new OperatorError("The extension is not there yet. Create it in this database on every machine: create extension citus");
  if (!server.isInstalled) await sql`create extension citus`;
  const steps = [...(await addNodes(database, distribution)), ...(await spread(database, distribution))];
  if (distribution.isDryRun) return steps;
  await tidy(database, steps);
  await tuneStatements(database);
  return steps;
}

/**
 * The settings of machines that make a failure last, or forbid the moving of shards; a line each, empty when all is well. They can only be
 * set in a server's configuration, which belongs to the operator.
 */
export async function checkNodes({ sql }: Database): Promise<string[]> {
  const rows = await sql.unsafe<{ name: string; success: boolean; result: string }[]>(
    `select nodename || ':' || nodeport as name, success, result from run_command_on_all_nodes($1) join pg_dist_node using (nodeid) order by 1`,
    [
      `select json_build_object('wal', current_setting('wal_level'), 'prepared', current_setting('max_prepared_transactions')::int,
         'connections', current_setting('max_connections')::int,
         'recovery', (select setting::int from pg_settings where name = 'citus.recover_2pc_interval'))`,
    ],
  );
  return rows.flatMap(({ name, success, result }) => {
    if (!success) return [`${name} does not answer: ${result}`];
    const { wal, prepared, connections, recovery } = JSON.parse(result) as { wal: string } & Record<
      "prepared" | "connections" | "recovery",
      number
    >;
    return [
      ...(wal === "logical" ? [] : [`${name}: set wal_level = logical, or moving a shard keeps writers out until all of it is copied.`]),
      ...(prepared >= connections ? [] : [`${name}: set max_prepared_transactions to ${connections} or more, as many as max_connections.`]),
      // Zero and below switch it off.
      ...(recovery > 0 && recovery <= MAX_RECOVERY_MS
        ? []
        : [`${name}: set citus.recover_2pc_interval = 5s, so that players that a crash left locked are free within seconds.`]),
    ];
  });
}

const MAX_RECOVERY_MS = 10_000;

async function addNodes({ sql }: Database, { coordinator, workers, isDryRun }: Distribution): Promise<Step[]> {
  const known = await sql.unsafe<{ name: string; isCoordinator: boolean }[]>(
    `select nodename || ':' || nodeport as name, groupid = 0 as is_coordinator from pg_dist_node`,
  );
  const knownWorkers = known.filter(({ isCoordinator }) => !isCoordinator).map(({ name }) => name);
  if (workers.length === 0 && knownWorkers.length === 0)
    throw new OperatorError("Name the machines that are to hold players: --worker host:port, once for each.");
  const isNamed = known.some(({ isCoordinator }) => isCoordinator);
  if (!isNamed && coordinator === null) throw new OperatorError("Say how the workers reach this database: --coordinator host:port.");
  if (!isNamed && coordinator !== null && !isDryRun)
    await sql.unsafe("select citus_set_coordinator_host($1, $2)", [coordinator.host, coordinator.port]);
  const steps: Step[] = [];
  for (const { host, port } of workers) {
    const subject = `${host}:${port}`;
    const isKnown = knownWorkers.includes(subject);
    if (!isKnown && !isDryRun) await sql.unsafe("select citus_add_node($1, $2)", [host, port]);
    steps.push({ subject, outcome: isKnown ? "known already" : "added", rows: null });
  }
  return steps;
}

async function spread({ sql }: Database, { shards, isDryRun }: Distribution): Promise<Step[]> {
  return (await sql.begin(async (tx) => {
    const steps = await planned(tx);
    if (isDryRun || steps.every(({ outcome }) => outcome === "distributed already")) return steps;
    await openChanges(tx);
    for (const { subject, outcome } of steps) {
      if (outcome === "distributed already") continue;
      if (subject === "players")
        await tx.unsafe("select create_distributed_table($1::text::regclass, 'part', shard_count => $2::int)", [subject, shards]);
      else await tx.unsafe("select create_distributed_table($1::text::regclass, 'part', colocate_with => $2::text)", [subject, "players"]);
    }
    await replaceFunctions(tx);
    return steps;
  })) as Step[];
}

async function planned(tx: Transaction): Promise<Step[]> {
  const rows = await tx.unsafe<{ name: string; rows: number; isSpread: boolean }[]>(
    `select t.name, greatest(c.reltuples, 0)::float8 as rows, d.logicalrelid is not null as is_spread
     from unnest($1::text[]) with ordinality as t(name, place) join pg_class c on c.oid = t.name::regclass
     left join pg_dist_partition d on d.logicalrelid = c.oid order by t.place`,
    [ON_WORKERS],
  );
  return rows.map(({ name, rows: count, isSpread }) => ({
    subject: name,
    outcome: isSpread ? "distributed already" : "distributed",
    rows: count,
  }));
}

/**
 * Frees the space that the tables took on the coordinator, also after an earlier crash, and analyzes the new tables on every machine.
 * Freeing takes a table's exclusive lock, so a later run, on a service in use, leaves alone the tables that have no rows there.
 */
async function tidy({ sql }: Database, steps: readonly Step[]): Promise<void> {
  const copies = await sql.unsafe<{ name: string }[]>(
    "select name from unnest($1::text[]) as t(name) where pg_relation_size(name::regclass) > 0",
    [ON_WORKERS],
  );
  for (const { name } of copies) await sql.unsafe("select truncate_local_data_after_distributing_table($1::text::regclass)", [name]);
  for (const { subject, outcome } of steps) if (outcome === "distributed") await sql.unsafe(`analyze ${subject}`);
}

/**
 * Switches off Citus's deadlock prevention, whose locks let only one transaction at a time write to several shards: a slice of facts would
 * block all others. The service itself locks players in one order. Also switches off JIT: Citus adds up the estimated costs of all shards,
 * so PostgreSQL would compile small statements, for longer than they take.
 */
async function tuneStatements({ sql }: Database): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select quote_ident(current_database()) as name`;
  await sql.unsafe(`alter database ${row!.name} set citus.enable_deadlock_prevention = 'off'`);
  await sql.unsafe("select from run_command_on_all_nodes($1)", [`alter database ${row!.name} set jit = 'off'`]);
}
