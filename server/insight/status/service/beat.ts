import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Database } from "#db/client.ts";
import type { PoolUse } from "#db/gate.ts";
import { deleteInstance, type Instance, type InstanceState, upsertInstance } from "../store.ts";

const BEAT_MS = 10_000;

const { version } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as { version: string };

/** A process's report on itself: its pools, and errors since it started. */
interface OwnState {
  pools(): ReadonlyMap<string, PoolUse>;
  errors(): Promise<NonNullable<InstanceState["errors"]>>;
}

/** Reports this process on the status page until it stops. A failed beat is skipped. */
export function startBeat(
  { sql }: Database,
  own: OwnState,
  { isServing, isWorking }: { isServing: boolean; isWorking: boolean },
): { stop(): Promise<void> } {
  const startedAt = Date.now() - process.uptime() * 1000;
  const instance: Instance = {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    version,
    node: process.versions.node,
    isServing,
    isWorking,
    startedAt,
  };
  const state = async (): Promise<InstanceState> => ({
    memoryBytes: process.memoryUsage.rss(),
    pools: Array.from(own.pools(), ([name, { size, inUse, waiting }]) => ({ name, size, inUse, waiting })),
    errors: await own.errors(),
  });
  const beat = () =>
    state()
      .then((now) => upsertInstance(sql, instance, now))
      .catch(() => {});
  let last = beat();
  const timer = setInterval(() => {
    last = beat();
  }, BEAT_MS);
  return {
    async stop() {
      clearInterval(timer);
      await last;
      await deleteInstance(sql, instance.id).catch(() => {});
    },
  };
}
