import { type Database, transact } from "../db/client.ts";
import { holdGroundAlone } from "../server/engine/store.ts";
import type { Environment } from "../server/kernel/environment.ts";
import { advanceClock, environmentNow, loadEnvironment } from "../server/projects/service.ts";

/** Moves a Sandbox clock forward to an instant, as the command line does (decisions.md 9). */
export async function moveClockTo(database: Database, { id }: Environment, instant: number): Promise<void> {
  await transact(database, async (tx) => {
    await holdGroundAlone(tx, id);
    const environment = (await loadEnvironment(tx, id)) as Environment;
    const offset = environment.clockOffsetMs + instant - (await environmentNow(tx, environment));
    await advanceClock(tx, id, offset);
  });
}
