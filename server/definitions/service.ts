import { LRUCache } from "lru-cache";
import type { Sql } from "../../db/client.ts";
import type { Environment } from "../kernel/environment.ts";
import { compile } from "./compile.ts";
import type { Definitions } from "./compiled.ts";
import type { Kind } from "./contract.ts";
import { loadDefinitions, loadEditInstants } from "./store.ts";
import { readStored } from "./stored.ts";

/** Compiled definitions by what they were compiled from; bounded by how many definitions they hold in all. */
const compiled = new LRUCache<string, Definitions>({
  maxSize: 200_000,
  sizeCalculation: ({ missions, eventsById }) => 1 + missions.length + eventsById.size,
});
const loading = new Map<string, Promise<Definitions>>();

/**
 * The definitions of an environment in the version it was read with, or in the one that has been committed since; under
 * the environment's lock the two are the same. Must not be asked in the transaction that raises the version: what that
 * wrote would be kept though it may yet be undone.
 */
export async function definitionsOf(sql: Sql, environment: Environment): Promise<Definitions> {
  const { id, definitionsVersion, timeZone, defaultLanguage } = environment;
  const name = `${id}/${definitionsVersion}/${timeZone}/${defaultLanguage}`;
  return compiled.get(name) ?? (await whatIsLoading(name)) ?? load(sql, environment, name);
}

/** What another request loads at this moment; undefined where nobody does or it came to nothing there. */
const whatIsLoading = (name: string): Promise<Definitions | undefined> | undefined => loading.get(name)?.catch(() => undefined);

async function load(sql: Sql, environment: Environment, name: string): Promise<Definitions> {
  const promise = loadDefinitions(sql, environment.id).then((rows) => compile(readStored(rows), environment));
  loading.set(name, promise);
  try {
    const definitions = await promise;
    compiled.set(name, definitions);
    return definitions;
  } finally {
    if (loading.get(name) === promise) loading.delete(name);
  }
}

/** When each definition of a kind was last edited, by its id: epoch milliseconds on the environment's clock. */
export const editInstants = (sql: Sql, environmentId: number, kind: Kind): Promise<Map<number, number>> => loadEditInstants(sql, environmentId, kind);
