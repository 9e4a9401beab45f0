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

/** In JSON; compiled they take about as much again. */
const MAX_COMPILED_BYTES = 64 * 1024 * 1024;

/** Compiled definitions by what they were compiled from. */
export const compiledDefinitions = new VersionCache<Definitions>(MAX_COMPILED_BYTES);
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
  const { definitionsVersion, timeZone, defaultLanguage } = environment;
  const version = `${definitionsVersion}/${timeZone}/${defaultLanguage}`;
  const name = `${cacheName(environment)}/${version}`;
  for (;;) {
    const known = compiledDefinitions.get(cacheName(environment), version);
    if (known !== undefined) return known;
    const elsewhere = loading.get(name);
    // Were a transaction to wait for the pool, all of them might wait for a connection that they have themselves.
    if (elsewhere === undefined || (isTransaction(sql) && !elsewhere.isInTransaction)) return load(sql, environment, name, version);
    // Another's connection may fail it, or its transaction; then the next one loads.
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

/** The definitions as they are now, kept by nobody: for the transaction that changes what they are made of. */
export async function freshDefinitions(sql: Sql, environment: Environment): Promise<Definitions> {
  const { id } = environment;
  const [rows, zoneChanges, since] = await Promise.all([loadDefinitions(sql, id), selectZoneChanges(sql, id), selectFunnelsSince(sql, id)]);
  return inTurns(compile(await inTurns(readStored(rows)), environment, zoneChanges, since));
}

const isTransaction = (sql: Sql): sql is Transaction => "savepoint" in sql;

/** When each definition of a kind was last edited, by its id: epoch milliseconds on the environment's clock. */
export const editInstants = (sql: Sql, environmentId: number, kind: Kind): Promise<Map<number, number>> =>
  loadEditInstants(sql, environmentId, kind);
