import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Database } from "../../../db/client.ts";
import { deleteInstance, type Instance, upsertInstance } from "../store/instances.ts";

const BEAT_MS = 10_000;

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string };

/** Shows on the status page that this process is alive, until it stops. A beat that fails is left out. */
export function startBeat(
  { sql }: Database,
  { isServing, isWorking }: { isServing: boolean; isWorking: boolean },
): { stop(): Promise<void> } {
  const startedAt = Date.now() - process.uptime() * 1000;
  const instance: Instance = {
    ...{ id: randomUUID(), host: hostname(), pid: process.pid, version, node: process.versions.node },
    ...{ isServing, isWorking, startedAt },
  };
  const beat = () => upsertInstance(sql, instance, { memoryBytes: process.memoryUsage.rss() }).catch(() => {});
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
