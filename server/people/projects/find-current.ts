import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const TRIES = 20;
const PAUSE_MS = 100;

/**
 * Writes for players, again by the environment as it is then where some were deleted meanwhile; `write` answers undefined for that. In Live
 * players go one at a time, which is over soon; a Sandbox is emptied as a whole, and the caller is told. Undefined where it stays so.
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
