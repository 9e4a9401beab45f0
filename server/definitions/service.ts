import { LRUCache } from "lru-cache";
import { type Database, type Sql, transact, type Transaction } from "../../db/client.ts";
import { holdGroundAlone } from "../engine/store.ts";
import type { Environment } from "../kernel/environment.ts";
import { Refused } from "../kernel/refused.ts";
import { keepPeriods } from "../leaderboards/service/schedule.ts";
import { bumpDefinitionsVersion, environmentNow, loadEnvironment } from "../projects/service.ts";
import { compile } from "./compile.ts";
import type { Definitions } from "./compiled.ts";
import type { Kind } from "./contract.ts";
import { type Discovered, planDiscovery } from "./discovery.ts";
import { documentOf } from "./document.ts";
import { type File, readFile } from "./file.ts";
import { naming } from "./naming.ts";
import { type Change, planImport } from "./plan.ts";
import type { DefinitionProblem } from "./problems.ts";
import { deleteDefinitions, haveTotals, insertDefinitions, loadDefinitions, loadEditInstants, updateDefinitions } from "./store.ts";
import { rollupChanges } from "./rollups.ts";
import { readStored, ROLLUP, type StoredDefinitions } from "./stored.ts";

export type { Change } from "./plan.ts";
export type { DefinitionProblem } from "./problems.ts";

export type ImportResult = { problems: DefinitionProblem[] } | { changes: Change[] };

/** Compiled definitions by what they were compiled from; bounded by how many definitions they hold in all. */
const compiled = new LRUCache<string, Definitions>({
  maxSize: 200_000,
  sizeCalculation: ({ missions, eventsById, listings }) => 1 + missions.length + eventsById.size + listings.length,
});
const loading = new Map<string, Loading>();

interface Loading {
  definitions: Promise<Definitions>;
  /** Whether it has its connection: one from the pool comes when a transaction gives its own back. */
  isInTransaction: boolean;
}

/**
 * The definitions of an environment in the version it was read with, or in the one that has been committed since; under
 * the environment's lock the two are the same. Must not be asked in the transaction that raises the version: what that
 * wrote would be kept though it may yet be undone.
 */
export async function definitionsOf(sql: Sql, environment: Environment): Promise<Definitions> {
  const { id, definitionsVersion, timeZone, defaultLanguage } = environment;
  const name = `${id}/${definitionsVersion}/${timeZone}/${defaultLanguage}`;
  for (;;) {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const elsewhere = loading.get(name);
    // Were a transaction to wait for the pool, all of them might wait for a connection that they have themselves.
    if (elsewhere === undefined || (isTransaction(sql) && !elsewhere.isInTransaction)) return load(sql, environment, name);
    // Another's connection may fail it, or its transaction; then the next one loads.
    const loaded = await elsewhere.definitions.catch(() => undefined);
    if (loaded !== undefined) return loaded;
  }
}

async function load(sql: Sql, environment: Environment, name: string): Promise<Definitions> {
  const promise = loadDefinitions(sql, environment.id).then((rows) => compile(readStored(rows), environment));
  const own: Loading = { definitions: promise, isInTransaction: isTransaction(sql) };
  loading.set(name, own);
  try {
    const definitions = await promise;
    compiled.set(name, definitions);
    return definitions;
  } finally {
    if (loading.get(name) === own) loading.delete(name);
  }
}

const isTransaction = (sql: Sql): sql is Transaction => "savepoint" in sql;

/** When each definition of a kind was last edited, by its id: epoch milliseconds on the environment's clock. */
export const editInstants = (sql: Sql, environmentId: number, kind: Kind): Promise<Map<number, number>> =>
  loadEditInstants(sql, environmentId, kind);

/**
 * Imports a definitions file (definitions.md): all or nothing, with every problem at once. Importing what is there already
 * changes nothing. `dryRun` tells what would change; `prune` switches off what the file's lists leave out. `document` is
 * what `parseJson` gives, so that its numbers are exact.
 */
export async function importDefinitions(
  database: Database,
  environment: Environment,
  document: unknown,
  { dryRun = false, prune = false }: { dryRun?: boolean; prune?: boolean } = {},
): Promise<ImportResult> {
  const file = readFile(document);
  return transact(database, async (tx) => {
    if (!dryRun) await holdGroundAlone(tx, environment.id);
    const current = await currentEnvironment(tx, environment);
    const now = await environmentNow(tx, current);
    const stored = readStored(await loadDefinitions(tx, environment.id));
    const hasMoney = await hasMoneyIn(tx, file, stored);
    const plan = planImport(file, stored, { now, language: current.defaultLanguage, prune, hasMoney });
    if ("problems" in plan) return plan;
    if (!dryRun && plan.changes.length > 0) {
      await insertDefinitions(tx, environment.id, now, plan.additions);
      await updateDefinitions(tx, now, plan.updates);
      await keepRollups(tx, environment.id, now);
      await bumpDefinitionsVersion(tx, environment.id);
      await keepPeriods(tx, environment.id, compile(readStored(await loadDefinitions(tx, environment.id)), current), now);
    }
    return { changes: plan.changes };
  });
}

/** Whether amounts were added in the base currency; asked only where a file would have another one. */
async function hasMoneyIn(tx: Transaction, { settings }: File, { settings: { baseCurrency }, lists }: StoredDefinitions): Promise<boolean> {
  if (baseCurrency === null || settings.baseCurrency === undefined || settings.baseCurrency === baseCurrency) return false;
  return haveTotals(
    tx,
    lists.metrics.filter(({ shaped }) => shaped.kind === "Currency").map(({ id }) => id),
  );
}

/**
 * Imports everything that one environment defines, as it stands at one instant, into the other one of its project
 * (definitions.md): under the rules of the other, and with the answers of an import. Pointers lead into what would be
 * exported; as nobody has that file at hand, problems say which definition they are about. Throws Refused for one
 * environment alone.
 */
export async function promoteDefinitions(
  database: Database,
  from: Environment,
  to: Environment,
  options: { dryRun?: boolean; prune?: boolean } = {},
): Promise<ImportResult> {
  if (from.id === to.id) throw new Refused("An environment cannot be promoted to itself; --from and --to must be two of them.");
  const document = await exportDefinitions(database, from);
  const result = await importDefinitions(database, to, document, options);
  return "problems" in result ? { problems: result.problems.map((problem) => naming(problem, document)) } : result;
}

/**
 * Defines what `find` says of the definitions as they are when nobody else changes them (api.md 4.1, rule 3): of requests
 * that discover the same thing the first one defines it, and the others are asked again what is left. Answers the
 * environment as it is then, by which the request has to be judged again. What `find` says must fit the definitions.
 */
export function discoverDefinitions(
  database: Database,
  environment: Environment,
  find: (definitions: Definitions) => Discovered,
): Promise<Environment> {
  return transact(database, async (tx) => {
    await holdGroundAlone(tx, environment.id);
    const current = await currentEnvironment(tx, environment);
    const found = find(await definitionsOf(tx, current));
    const { additions, updates } = planDiscovery(found, readStored(await loadDefinitions(tx, current.id)), current.defaultLanguage);
    if (additions.length + updates.length === 0) return current;
    const now = await environmentNow(tx, current);
    await insertDefinitions(tx, current.id, now, additions);
    await updateDefinitions(tx, now, updates);
    return { ...current, definitionsVersion: await bumpDefinitionsVersion(tx, current.id) };
  });
}

/** Has the rollups that the definitions ask for, and no other. */
async function keepRollups(tx: Transaction, environmentId: number, now: number): Promise<void> {
  const { added, removed } = rollupChanges(readStored(await loadDefinitions(tx, environmentId)));
  await insertDefinitions(
    tx,
    environmentId,
    now,
    added.map((key) => ({ kind: ROLLUP, key, active: true, body: {} })),
  );
  await deleteDefinitions(tx, removed);
}

/** The clock may have moved since the environment was read; under the lock it stands. */
async function currentEnvironment(tx: Transaction, { id }: Environment): Promise<Environment> {
  const environment = await loadEnvironment(tx, id);
  if (environment === null) throw new Error(`The environment ${id} is gone.`);
  return environment;
}

/** Everything an environment defines, as the definitions file has it: import it elsewhere, export it, and the text is the same. */
export async function exportDefinitions({ sql }: Database, environment: Environment): Promise<Record<string, unknown>> {
  return documentOf(readStored(await loadDefinitions(sql, environment.id)));
}
