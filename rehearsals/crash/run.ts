import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, openDatabase } from "../../db/client.ts";
import { Chapter, type ChapterFigures } from "./chapter.ts";
import { chance } from "./chance.ts";
import { openTaskProcess } from "./open-task-process.ts";
import type { Task } from "./task-process.ts";
import { type DurableDatabase, startDurableDatabase } from "./durable.ts";
import { crowdIn } from "./crowd.ts";
import { disturb, type Fault, isKill, killOne, killUnder, STEP_MS, takeSeveral, type Targets } from "./faults.ts";
import { type Interrupted, interrupt, interruptMigration } from "./interrupted.ts";
import { type Program, program, steadyPort } from "../../e2e/programs.ts";
import { startCustomersReceiver } from "./receiver.ts";
import type { SmallDisk } from "./small-disk.ts";
import { within } from "./steadily.ts";
import { LANE_COUNTS } from "../../server/model/kernel/lanes.ts";
import { setLanes } from "../../server/engine/store/installation.ts";
import { TEST_AUTH_SECRET } from "../../server/delivery/testing.ts";

interface RunOptions {
  /** The faults in order; the run ends after `kills` of them were kills. */
  faults: Iterable<Fault>;
  kills: number;
  seed: number;
  /** The database's files. */
  folder: string;
  disk: SmallDisk | null;
  /** Starts another database than a single server in `folder`. */
  start?(): Promise<DurableDatabase>;
  /** The number of processes of each kind; two by default. */
  web?: number;
  workers?: number;
  /** Connections of the customer. */
  connections?: number;
  /** Called after each fault. */
  onFault?(line: string): void;
}

/** The result of a run. */
export interface Figures extends ChapterFigures {
  faults: Map<Fault, number>;
  /** The number of kills that interrupted work, by its kind. */
  inTheMiddle: Map<Fault, number>;
  /** The number of integrity checks: one of each environment after every fault, beside the comparison with the oracle. */
  integrityChecks: number;
  seconds: number;
  /** The most concurrent requests of one organization in all processes, during any crowd. */
  mostAtOnce: number;
  /** A line for each thing that was lost, done twice, or otherwise wrong. */
  differences: string[];
}

/** Kills in a chapter: the more, the longer each comparison. */
const CHAPTER = 20;
/** Only a stuck program takes this long; speed is not tested here. */
const PATIENCE_S = 600;
/** Few WAL files, so that they fit on a small disk. */
const SETTINGS = { max_wal_size: "128MB", min_wal_size: "32MB", shared_buffers: "64MB" };

/**
 * Runs the service under load, with web processes and workers on their own PostgreSQL, and causes one fault after another. After each
 * fault the customer's books are compared with the service, which is also audited. Stops at the first difference.
 */
export async function runFaults(options: RunOptions): Promise<Figures> {
  const { faults, kills, seed, folder, disk, connections = 8, onFault = () => {} } = options;
  const { start = () => startDurableDatabase({ folder, settings: SETTINGS }) } = options;
  const began = performance.now();
  const server = await start();
  const receiver = await startCustomersReceiver({ stepMs: STEP_MS });
  const database = openDatabase(server.url, { connections: 6 });
  const { web, workers } = await startPrograms(server.url, join(folder, "clocks"), options);
  const scene: Scene = { web, workers, database: server, disk, chance: chance(seed), here: database, url: server.url };
  const figures: Figures = { ...NOTHING, faults: new Map(), inTheMiddle: new Map(), differences: [] };
  const programs = [...web, ...workers];
  const open = (number: number) =>
    within(
      PATIENCE_S,
      "a new chapter",
      Chapter.open({
        database,
        recovered: server.recovered,
        receiver,
        ports: web.map(({ port }) => port),
        seed: seed * 1000 + number,
        connections,
      }),
    );

  const record = (fault: Fault, found: string[]) => {
    figures.faults.set(fault, (figures.faults.get(fault) ?? 0) + 1);
    figures.differences.push(...found, ...programs.flatMap((one) => one.faults()), ...receiver.faults);
  };
  const close = async (chapter: Chapter) => {
    const { found, figures: own } = await within(PATIENCE_S, "the end of a chapter", chapter.close());
    figures.differences.push(...found, ...receiver.faults);
    for (const key of ["answers", "facts", "completions", "deliveries"] as const) figures[key] += own[key];
    receiver.forget();
  };

  let killed = 0;
  let chapters = 1;
  try {
    let chapter = await open(chapters);
    for (const fault of faults) {
      if (killed === kills || figures.differences.length > 0) break;
      const startedAt = performance.now();
      const { found, wasInTheMiddle, atOnce = 0 } = await within(PATIENCE_S, `what followed ${fault}`, strike(fault, chapter, scene));
      figures.integrityChecks += 2;
      figures.mostAtOnce = Math.max(figures.mostAtOnce, atOnce);
      if (wasInTheMiddle) figures.inTheMiddle.set(fault, (figures.inTheMiddle.get(fault) ?? 0) + 1);
      record(fault, found);
      if (isKill(fault)) killed += 1;
      onFault(`${killed}/${kills} ${fault}${wasInTheMiddle ? " in the middle" : ""}, ${Math.round(performance.now() - startedAt)} ms`);
      if (killed % CHAPTER === 0 && isKill(fault) && killed < kills) {
        await close(chapter);
        chapter = await open(++chapters);
      }
    }
    await close(chapter);
  } catch (error) {
    figures.differences.push(`the run was aborted: ${(error as Error).stack ?? String(error)}`);
  }
  const ends = await Promise.all(programs.map((one) => one.stop()));
  ends.forEach((code, index) => code !== 0 && figures.differences.push(`${programs[index]!.name} ended with ${code} when it was stopped`));
  figures.differences.push(...programs.flatMap((one) => one.faults()));
  await database.close();
  await server.stop();
  await receiver.close();
  return { ...figures, differences: [...new Set(figures.differences)], seconds: (performance.now() - began) / 1000 };
}

const NOTHING = { answers: 0, facts: 0, completions: 0, deliveries: 0, integrityChecks: 0, seconds: 0, mostAtOnce: 0 };

interface Scene extends Targets {
  /** The test's own pool, for comparisons. */
  here: Database;
  url: string;
}

/** The outcome of a fault. `atOnce`: the most concurrent requests, if the fault was a crowd. */
interface Struck extends Interrupted {
  atOnce?: number;
}

/** Causes one fault under load, waits until the service has recovered, and compares. */
async function strike(fault: Fault, chapter: Chapter, scene: Scene): Promise<Struck> {
  const { chance: dice } = scene;
  await chapter.flow(dice.between(200, 600));
  const { found, ...struck } = await goWrong(fault, chapter, scene);
  await chapter.flow(dice.between(50, 300));
  return { ...struck, found: [...found, ...(await chapter.compare())] };
}

async function goWrong(fault: Fault, chapter: Chapter, scene: Scene): Promise<Struck> {
  const { workshop } = chapter;
  const { chance: dice, here, url, web } = scene;
  const aMoment = () => delay(dice.between(100, 600));
  const nothing = { wasInTheMiddle: false, found: [] };
  /** The way to interrupt one task, whose process is ready: the orders that are sent before it still wait when it begins. */
  const interrupting = async () => {
    const begin = await openTaskProcess(url);
    return (task: Task) => interrupt(task, begin, dice, (killTask) => killUnder(task.kind, scene, killTask));
  };
  switch (fault) {
    case "settle":
      return workshop.settle((killTask) => killUnder(fault, scene, killTask));
    case "migrate":
      return interruptMigration(here, url, `migrated_${dice.between(1, 1_000_000_000)}`, await interrupting());
    case "import":
    case "move":
    case "reset":
      return workshop.perform(fault, await interrupting());
    case "cut":
    case "disk":
    case "clock":
      return (await disturb(fault, scene, aMoment), nothing);
    case "crowd":
      return { ...nothing, ...(await crowdIn(chapter, web, here, dice)) };
    case "lanes":
      for (const count of dice.shuffled(LANE_COUNTS).slice(0, 4)) {
        await setLanes(here, count);
        await aMoment();
      }
      return nothing;
    case "several":
      return { ...nothing, found: await takeSeveral(scene, aMoment) };
    case "web":
    case "worker":
    case "database":
    case "backend":
    case "power":
      while (!(await killOne(fault, scene))) await delay(20);
      return nothing;
  }
}

async function startPrograms(
  url: string,
  clocks: string,
  { web: webCount = 2, workers: workerCount = 2 }: Pick<RunOptions, "web" | "workers">,
): Promise<{ web: Program[]; workers: Program[] }> {
  mkdirSync(clocks, { recursive: true });
  const environment = {
    DATABASE_URL: url,
    AUTH_SECRET: TEST_AUTH_SECRET,
    DEMO: "off",
    OWNER_PASSWORD: "only for this test",
    // No page is requested, and Next would start again with every restart.
    PAGES: "off",
    WORKER: "off",
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: "true",
  };
  const several = (count: number, kind: string, file: "server/process/main.ts" | "server/process/worker.ts") =>
    Promise.all(
      Array.from({ length: count }, async (_, index) =>
        program({
          name: `${kind} ${index + 1}`,
          file,
          port: await steadyPort(),
          // The first worker runs in threads, the others in their main thread, so that both ways are tested.
          environment: { ...environment, ...(index > 0 && { WORKER_THREADS: "0" }) },
          clockFile: join(clocks, `${kind}-${index + 1}`),
        }),
      ),
    );
  const web = await several(webCount, "web", "server/process/main.ts");
  const workers = await several(workerCount, "worker", "server/process/worker.ts");
  for (const one of [...web, ...workers]) one.start();
  await within(PATIENCE_S, "the start", Promise.all([...web, ...workers].map((one) => one.ready())));
  return { web, workers };
}
