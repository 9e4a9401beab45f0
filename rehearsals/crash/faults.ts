import { writeFileSync } from "node:fs";
import type { Chance } from "./chance.ts";
import type { DurableDatabase } from "./durable.ts";
import type { Program } from "../../e2e/programs.ts";
import type { SmallDisk } from "./small-disk.ts";

/**
 * The targets of `kill -9`: a web process, a worker, several of both that stay down for a while, PostgreSQL, one of its backends, all of
 * these together; or the process that does the named work.
 */
export const KILLS = ["web", "worker", "several", "database", "backend", "power", "import", "move", "reset", "settle", "migrate"] as const;
/**
 * The other faults: cut connections, a full disk, a wrong clock, far more requests than may run; and an operator who changes the number of
 * lanes, which is no fault at all.
 */
export const OTHERS = ["cut", "disk", "clock", "crowd", "lanes"] as const;

export type KillKind = (typeof KILLS)[number];
export type Fault = KillKind | (typeof OTHERS)[number];

/** The number of each fault in a round of 37. */
const ROUND: Record<Fault, number> = {
  web: 4,
  worker: 4,
  several: 4,
  database: 3,
  backend: 2,
  power: 1,
  import: 2,
  move: 3,
  reset: 2,
  settle: 1,
  migrate: 1,
  cut: 3,
  disk: 1,
  clock: 2,
  crowd: 2,
  lanes: 2,
};

export const isKill = (fault: Fault): fault is KillKind => KILLS.some((kind) => kind === fault);

/** An endless random sequence of faults, without those that are impossible here. */
export function* faultsOf(chance: Chance, without: readonly Fault[]): Generator<Fault, never> {
  const round = (Object.keys(ROUND) as Fault[])
    .filter((fault) => !without.includes(fault))
    .flatMap((fault) => Array<Fault>(ROUND[fault]).fill(fault));
  for (;;) yield* chance.shuffled(round);
}

export interface Targets {
  web: Program[];
  workers: Program[];
  database: DurableDatabase;
  disk: SmallDisk | null;
  chance: Chance;
}

/** The largest shift of a program's clock. */
export const STEP_MS = 3_600_000;

/** Kills a program, and starts it again; false where it was not running. */
async function restart(victim: Program): Promise<boolean> {
  const wasHit = await victim.kill();
  victim.start();
  return wasHit;
}

/** Kills, by chance, PostgreSQL or the processes that do the named work: the task's, or for `settle` the workers. */
export async function killUnder(kind: KillKind, targets: Targets, killTask: () => Promise<void>): Promise<boolean> {
  const { database, workers, chance } = targets;
  if (chance.oneIn(2)) return database.kill();
  if (kind !== "settle") return (await killTask(), true);
  return (await Promise.all(workers.map(restart))).some(Boolean);
}

/**
 * Takes down some web processes and workers, by `kill -9` or SIGTERM, and restarts them in another order; one of each stays up. Returns a
 * line for each that did not stop as requested.
 */
export async function takeSeveral({ web, workers, chance }: Targets, meanwhile: () => Promise<void>): Promise<string[]> {
  const leaving = [web, workers].flatMap((programs) => chance.shuffled(programs).slice(0, chance.between(1, programs.length - 1)));
  const found = await Promise.all(
    leaving.map(async (one) => {
      if (chance.oneIn(2)) return void (await one.kill());
      await one.ready();
      const code = await one.stop();
      return code === 0 ? undefined : `${one.name} ended with ${code} when it was stopped`;
    }),
  );
  await meanwhile();
  for (const one of chance.shuffled(leaving)) {
    one.start();
    await meanwhile();
  }
  return found.filter((line) => line !== undefined);
}

/** Kills one target outside of any named work. */
export async function killOne(kind: "web" | "worker" | "database" | "backend" | "power", targets: Targets): Promise<boolean> {
  const { web, workers, database, chance } = targets;
  switch (kind) {
    case "web":
      return restart(chance.pick(web));
    case "worker":
      return restart(chance.pick(workers));
    case "database":
      return database.kill();
    case "backend":
      return database.killBackend(chance.pick);
    case "power": {
      const programs = [...web, ...workers];
      const killed = programs.map((one) => one.kill());
      const wasHit = database.kill();
      await Promise.all(killed);
      for (const one of programs) one.start();
      return wasHit;
    }
  }
}

/** Causes one of the other faults for the duration of `meanwhile`. */
export async function disturb(
  kind: Exclude<(typeof OTHERS)[number], "crowd" | "lanes">,
  targets: Targets,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { web, workers, database, disk, chance } = targets;
  switch (kind) {
    case "cut":
      for (let count = chance.between(1, 4); count > 0; count--) {
        await database.cut(() => chance.oneIn(2));
        await meanwhile();
      }
      return;
    case "disk":
      disk!.fill();
      await meanwhile();
      disk!.relieve();
      return;
    case "clock": {
      const { clockFile } = chance.pick([...web, ...workers]);
      writeFileSync(clockFile!, String(chance.between(-STEP_MS, STEP_MS)));
      return meanwhile();
    }
  }
}
