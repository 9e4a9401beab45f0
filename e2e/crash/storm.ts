import { setTimeout as delay } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import type { DurableDatabase } from "./durable.ts";
import type { Program } from "./programs.ts";

/** What is killed, with `kill -9`: a web process, a worker, the database server, one of its backends. */
type Blow = "web" | "worker" | "database" | "backend";

/** As often as each of them falls, in an order of chance. */
const DOZEN: readonly Blow[] = [
  ...Array<Blow>(4).fill("web"),
  ...Array<Blow>(4).fill("worker"),
  ...Array<Blow>(3).fill("database"),
  "backend",
];

export interface StormOptions {
  web: Program[];
  workers: Program[];
  database: DurableDatabase;
  rounds: number;
  chance: Chance;
  /** How much has been acknowledged so far: the next blow waits until the service has got on its feet again. */
  acknowledged(): number;
}

/** Kills one thing after the other and starts it again; returns what was hit, in order. */
export async function storm({ web, workers, database, rounds, chance, acknowledged }: StormOptions): Promise<Blow[]> {
  const hits: Blow[] = [];
  const strike = async (blow: Blow): Promise<boolean> => {
    if (blow === "database") return database.kill();
    if (blow === "backend") return database.killBackend(chance.pick);
    const victim = chance.pick(blow === "web" ? web : workers);
    const isHit = await victim.kill();
    victim.start();
    return isHit;
  };
  const healthy = async (waiting: Promise<void>) => {
    await waiting;
    const [fault] = [...web, ...workers].flatMap((one) => one.faults());
    if (fault !== undefined) throw new Error(fault);
  };
  for (let blows: Blow[] = []; hits.length < rounds;) {
    if (blows.length === 0) blows = shuffled(DOZEN, chance);
    const before = acknowledged();
    await healthy(delay(chance.between(300, 1800)));
    while (acknowledged() === before) await healthy(delay(20));
    const blow = blows.pop()!;
    if (await strike(blow)) hits.push(blow);
  }
  return hits;
}

function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(chance.between(0, rest.length - 1), 1)[0]!);
}
