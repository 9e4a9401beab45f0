import type { Sql, Transaction } from "../../db/client.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { environmentNow, loadEnvironment } from "./environment.ts";
import { lockExclusive } from "./store/locks.ts";
import { inTurns } from "./turns.ts";
import { compile } from "../model/definitions/compile.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { Kind } from "../model/definitions/contract.ts";
import { loadDefinitions, loadEditInstants, selectFunnelsSince } from "./store/definitions.ts";
import { readStored, type StoredDefinitions } from "../model/definitions/stored.ts";
import { cacheName, VersionCache } from "./version-cache.ts";
import { selectZoneChanges } from "./store/zones.ts";

/** Bytes of definitions as JSON; their compiled form takes about as much again. */
const MAX_COMPILED_BYTES = 64 * 1024 * 1024;

/** Compiled definitions, cached by environment and version. */
export const compiledDefinitions = new VersionCache<Definitions>(MAX_COMPILED_BYTES);
const loading = new Map<string, Loading>();

interface Loading {
  definitions: Promise<Definitions>;
  /** Whether a transaction loads them: it has its connection already, so waiting for it cannot deadlock on the pool. */
  isInTransaction: boolean;
}

const versionOf = ({ definitionsVersion, timeZone, defaultLanguage }: Environment): string =>
  `${definitionsVersion}/${timeZone}/${defaultLanguage}`;

/**
 * The definitions of an environment in the version it was read with, or in the one that has been committed since; under the environment's
 * lock the two are the same. Must not be called in the transaction that raises the version: its uncommitted definitions would be cached.
 * `stored`: its definitions, if the caller has read them already.
 */
export async function definitionsOf(sql: Sql, environment: Environment, stored?: StoredDefinitions): Promise<Definitions> {
  const version = versionOf(environment);
  const name = `${cacheName(environment)}/${version}`;
  for (;;) {
    const known = compiledDefinitions.get(cacheName(environment), version);
    if (known !== undefined) return known;
    const elsewhere = loading.get(name);
    // A transaction must not wait for the pool: all connections may be held by transactions that wait too.
    if (elsewhere === undefined || (isTransaction(sql) && !elsewhere.isInTransaction)) return load(sql, environment, name, stored);
    // A load may fail with its caller's connection or transaction; then the next caller loads.
    const loaded = await elsewhere.definitions.catch(() => undefined);
    if (loaded !== undefined) return loaded;
  }
}

async function load(sql: Sql, environment: Environment, name: string, stored?: StoredDefinitions): Promise<Definitions> {
  const promise = freshDefinitions(sql, environment, stored);
  const own: Loading = { definitions: promise, isInTransaction: isTransaction(sql) };
  loading.set(name, own);
  try {
    const definitions = await promise;
    keepDefinitions(environment, definitions);
    return definitions;
  } finally {
    if (loading.get(name) === own) loading.delete(name);
  }
}

/** Caches the compiled definitions of an environment at its version, which must be committed. */
export const keepDefinitions = (environment: Environment, definitions: Definitions): void =>
  compiledDefinitions.set(cacheName(environment), versionOf(environment), definitions, definitions.bytes);

/** The current definitions, uncached: for the transaction that changes them. */
export const freshDefinitions = async (sql: Sql, environment: Environment, stored?: StoredDefinitions): Promise<Definitions> =>
  compileStored(sql, environment, stored ?? (await loadStored(sql, environment.id)));

export const loadStored = async (sql: Sql, environmentId: number): Promise<StoredDefinitions> =>
  inTurns(readStored(await loadDefinitions(sql, environmentId)));

/** Compiles definitions for the present version and zones of their environment. */
export async function compileStored(sql: Sql, environment: Environment, stored: StoredDefinitions): Promise<Definitions> {
  const [zoneChanges, since] = await Promise.all([selectZoneChanges(sql, environment.id), selectFunnelsSince(sql, environment.id)]);
  return inTurns(compile(stored, environment, zoneChanges, since));
}

const isTransaction = (sql: Sql): sql is Transaction => "savepoint" in sql;

/** When each definition of a kind was last edited, by its id: epoch milliseconds on the environment's clock. */
export const editInstants = (sql: Sql, environmentId: number, kind: Kind): Promise<Map<number, number>> =>
  loadEditInstants(sql, environmentId, kind);

/** The definitions of an environment within a transaction. `now` is on the environment's clock. */
export interface Opened {
  environment: Environment;
  now: number;
  stored: StoredDefinitions;
}

/** Opens the definitions for a change: until the transaction ends there are no other changes, and no facts are applied. */
export async function openExclusive(tx: Transaction, environmentId: number): Promise<Opened> {
  await lockExclusive(tx, environmentId);
  return open(tx, environmentId);
}

/** Opens the definitions to read them. Without the exclusive lock the clock may have moved since the environment was read. */
export async function open(tx: Transaction, environmentId: number): Promise<Opened> {
  const environment = await loadEnvironment(tx, environmentId);
  if (environment === null) throw new Error(`The environment ${environmentId} is gone.`);
  return { environment, now: await environmentNow(tx, environment), stored: await loadStored(tx, environmentId) };
}
