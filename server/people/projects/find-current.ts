import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const TRIES = 20;
const PAUSE_MS = 100;

/**
 * Writes for players, and retries with the current environment if some were deleted meanwhile, for which `write` returns undefined. In Live
 * players are erased one at a time, which is soon over; a Sandbox is reset as a whole. Returns undefined if retrying does not help.
 */
export async function writeForPlayers<T>(
  { sql }: Database,
  environment: Environment,
  write: (current: Environment) => Promise<T | undefined>,
): Promise<T | undefined> {
  let current = environment;
  for (let tries = 1; ; tries++) {
    const written = await write(current);
    if (written !== undefined || environment.kind === "sandbox" || tries === TRIES) return written;
    await delay(PAUSE_MS);
    current = (await loadEnvironment(sql, environment.id)) ?? current;
  }
}
