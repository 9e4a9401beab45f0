import type { Sql, Transaction } from "../../db/client.ts";
import type { Environment } from "../model/kernel/environment.ts";
import { inTurns } from "./turns.ts";
import { compile } from "../model/definitions/compile.ts";
import type { Definitions } from "../model/definitions/compiled.ts";
import type { Kind } from "../model/definitions/contract.ts";
import { loadDefinitions, loadEditInstants, selectFunnelsSince } from "./store/definitions.ts";
import { readStored } from "../model/definitions/stored.ts";
import { cacheName, VersionCache } from "./version-cache.ts";
import { selectZoneChanges } from "./store/zones.ts";

/** Measured as JSON; the compiled form takes about as much again. */
const MAX_COMPILED_BYTES = 64 * 1024 * 1024;

/** Compiled definitions by their source. */
export const compiledDefinitions = new VersionCache<Definitions>(MAX_COMPILED_BYTES);
const loading = new Map<string, Loading>();

interface Loading {
  definitions: Promise<Definitions>;
  /** Whether it has its connection: one from the pool is only free once a transaction returns its own. */
  isInTransaction: boolean;
}

/**
 * The definitions of an environment in the version it was read with, or in the one that has been committed since; under the environment's
 * lock the two are the same. Must not be called in the transaction that raises the version: its uncommitted definitions would be cached.
 */
export async function definitionsOf(sql: Sql, environment: Environment): Promise<Definitions> {
  const { definitionsVersion, timeZone, defaultLanguage } = environment;
  const version = `${definitionsVersion}/${timeZone}/${defaultLanguage}`;
  const name = `${cacheName(environment)}/${version}`;
  for (;;) {
    const known = compiledDefinitions.get(cacheName(environment), version);
    if (known !== undefined) return known;
    const elsewhere = loading.get(name);
    // A transaction must not wait for the pool: the connections that it waits for may all be held by transactions that wait too.
    if (elsewhere === undefined || (isTransaction(sql) && !elsewhere.isInTransaction)) return load(sql, environment, name, version);
    // A load may fail with its caller's connection or transaction; then the next caller loads.
    const loaded = await elsewhere.definitions.catch(() => undefined);
    if (loaded !== undefined) return loaded;
  }
}

async function load(sql: Sql, environment: Environment, name: string, version: string): Promise<Definitions> {
  const promise = freshDefinitions(sql, environment);
  const own: Loading = { definitions: promise, isInTransaction: isTransaction(sql) };
  loading.set(name, own);
  try {
    const definitions = await promise;
    compiledDefinitions.set(cacheName(environment), version, definitions, definitions.bytes);
    return definitions;
  } finally {
    if (loading.get(name) === own) loading.delete(name);
  }
}

/** The current definitions, uncached: for the transaction that changes them. */
export async function freshDefinitions(sql: Sql, environment: Environment): Promise<Definitions> {
  const { id } = environment;
  const [rows, zoneChanges, since] = await Promise.all([loadDefinitions(sql, id), selectZoneChanges(sql, id), selectFunnelsSince(sql, id)]);
  return inTurns(compile(await inTurns(readStored(rows)), environment, zoneChanges, since));
}

const isTransaction = (sql: Sql): sql is Transaction => "savepoint" in sql;

/** When each definition of a kind was last edited, by its id: epoch milliseconds on the environment's clock. */
export const editInstants = (sql: Sql, environmentId: number, kind: Kind): Promise<Map<number, number>> =>
  loadEditInstants(sql, environmentId, kind);
