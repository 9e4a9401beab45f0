import { parseArgs } from "node:util";
import { findCitus } from "../citus/cluster.ts";
import { startDurableCluster } from "../citus/durable.ts";
import { chance } from "./chance.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { type Figures, runFaults } from "./run.ts";
import { mountSmallDisk } from "./small-disk.ts";

/**
 * `npm run faults -- --kills n [--seed s] [--web n] [--workers n] [--citus]`: the faults suite at any length, with this many processes;
 * with `--citus` on a coordinator and two workers. Exits 1 if something was lost or done twice.
 */
const option = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    kills: option("100"),
    seed: option("1"),
    web: option("4"),
    workers: option("4"),
    citus: { type: "boolean", default: false },
  },
});
const [kills, seed, web, workers] = [values.kills, values.seed, values.web, values.workers].map(Number) as [number, number, number, number];
if (![kills, seed, web, workers].every((number) => Number.isSafeInteger(number) && number > 0) || Math.min(web, workers) < 2) {
  console.error("npm run faults -- --kills <how many> [--seed <a number>] [--web <2 or more>] [--workers <2 or more>] [--citus]");
  process.exit(1);
}

const programsOfCitus = values.citus ? findCitus() : null;
if (values.citus && programsOfCitus === null) {
  console.error("Skipped: there is no PostgreSQL with Citus here. Install it where pg_config finds it, or set PG_CONFIG.");
  process.exit();
}
/** Faults that a cluster cannot have: it shares the machine's disk, and a migration's new database would not be distributed. */
const WITHOUT_CITUS = ["disk", "migrate"] as const;

const disk = mountSmallDisk();
process.once("exit", disk.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
if (disk.refusal !== null) console.error(`This run does not fill the disk, because no separate disk could be made: ${disk.refusal}`);
const figures = await runFaults({
  faults: faultsOf(chance(seed), values.citus ? WITHOUT_CITUS : disk.refusal === null ? [] : ["disk"]),
  ...(programsOfCitus !== null && { start: () => startDurableCluster(programsOfCitus) }),
  kills,
  seed,
  web,
  workers,
  folder: disk.folder,
  disk,
  onFault: (line) => console.error(line),
});
console.log(report(figures));
process.exit(figures.differences.length > 0 ? 1 : 0);

function report(figures: Figures): string {
  const { faults, inTheMiddle, seconds, answers, facts, completions, deliveries, integrityChecks, mostAtOnce, differences } = figures;
  const byKind = ([kind, count]: [Fault, number]) =>
    `${kind} ${count}${inTheMiddle.has(kind) ? ` (${inTheMiddle.get(kind)} in the middle)` : ""}`;
  return [
    `seed ${seed}, ${web} web processes, ${workers} workers, ${Math.round(seconds)} s`,
    `went wrong: ${[...faults].map(byKind).join(", ")}`,
    `requests acknowledged: ${answers}`,
    `facts: ${facts}`,
    `completions: ${completions}`,
    `deliveries: ${deliveries}`,
    `audits: ${integrityChecks}`,
    ...(faults.has("crowd") ? [`concurrent requests of one organization, at most: ${mostAtOnce}`] : []),
    `differences: ${differences.length}`,
    ...differences,
  ].join("\n");
}
