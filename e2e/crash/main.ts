import { parseArgs } from "node:util";
import { chance } from "./chance.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { type Figures, runFaults } from "./run.ts";
import { mountSmallDisk } from "./small-disk.ts";

/** `npm run faults -- --kills n [--seed s]`: the faults suite at any length. Exit 1 where something was lost or done twice. */
const { values } = parseArgs({ options: { kills: { type: "string", default: "100" }, seed: { type: "string", default: "1" } } });
const [kills, seed] = [Number(values.kills), Number(values.seed)];
if (![kills, seed].every((number) => Number.isSafeInteger(number) && number > 0)) {
  console.error("npm run faults -- --kills <how many> [--seed <a number>]");
  process.exit(1);
}

const disk = mountSmallDisk();
process.once("exit", disk.remove);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
if (disk.refusal !== null) console.error(`The disk is not filled in this run, as it cannot have one of its own: ${disk.refusal}`);
const figures = await runFaults({
  faults: faultsOf(chance(seed), disk.refusal === null ? [] : ["disk"]),
  kills,
  seed,
  folder: disk.folder,
  disk,
  onFault: (line) => console.error(line),
});
console.log(report(figures));
process.exit(figures.differences.length > 0 ? 1 : 0);

function report({ faults, inTheMiddle, seconds, answers, facts, completions, deliveries, integrityChecks, differences }: Figures): string {
  const byKind = ([kind, count]: [Fault, number]) =>
    `${kind} ${count}${inTheMiddle.has(kind) ? ` (${inTheMiddle.get(kind)} in the middle)` : ""}`;
  return [
    `seed ${seed}, ${Math.round(seconds)} s`,
    `went wrong: ${[...faults].map(byKind).join(", ")}`,
    `requests acknowledged: ${answers}`,
    `facts: ${facts}`,
    `completions: ${completions}`,
    `deliveries: ${deliveries}`,
    `audits: ${integrityChecks}`,
    `differences: ${differences.length}`,
    ...differences,
  ].join("\n");
}
