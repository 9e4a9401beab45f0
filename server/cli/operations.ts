import { type Command, InvalidArgumentError } from "commander";
import type { Node, Step } from "../../db/scale/distribute.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./service.ts";

interface Distribution {
  worker: Node[];
  coordinator?: Node;
  shards: number;
  dryRun?: boolean;
}

/** `audit` prints a line for each broken invariant, and fails if there is one. `analytics recount` recomputes the dashboard's figures. */
export function upkeepCommands(program: Command, cli: Cli): void {
  inEnvironment(program.command("audit")).action(async (options: Where) => {
    const lines = await cli.beside(async ({ database, verbs, environment }) => verbs.checkIntegrity(database, await environment(options)));
    cli.output.data(lines, lines.join("\n"));
    if (lines.length > 0) throw new OperatorError(`The audit found ${lines.length === 1 ? "one problem" : `${lines.length} problems`}.`);
    note("Every invariant holds.");
  });

  inEnvironment(program.command("analytics").description("the figures of the dashboard's reports").command("recount")).action(
    async (options: Where) => {
      await cli.beside(async ({ database, verbs, environment }) => verbs.countAgain(database, await environment(options)));
      note("All figures are being counted again in the background.");
    },
  );
}

/**
 * `scale lanes` prints or sets the number of lanes. `scale distribute` spreads players over the machines of a Citus cluster, and prints a
 * line for each machine and table, and one for each setting of a machine that should be another.
 */
export function scaleCommands(program: Command, cli: Cli): void {
  const scale = program.command("scale").description("several workers, and a database over several machines");
  scale
    .command("lanes")
    .argument("[count]", "each lane is worked by one worker at a time", Number)
    .action(async (count?: number) => {
      const lanes = await cli.beside(async ({ database, verbs }) => {
        if (count !== undefined) await verbs.setLanes(database, count);
        return verbs.readLanes(database);
      });
      cli.output.data({ lanes }, String(lanes));
    });
  scale
    .command("distribute")
    .option("--worker <host:port>", "a machine to add; may be given more than once", (text, nodes: Node[]) => [...nodes, nodeOf(text)], [])
    .option("--coordinator <host:port>", "the address by which the workers reach this database; needed once", nodeOf)
    .option("--shards <count>", "the number of shards; it cannot be changed later", shardsOf, 64)
    .option("--dry-run", "print the steps and run none")
    .action(async ({ worker, coordinator, shards, dryRun = false }: Distribution) => {
      const { steps, advice } = await cli.beside(async ({ database, verbs }) => ({
        steps: await verbs.distribute(database, { workers: worker, coordinator: coordinator ?? null, shards, isDryRun: dryRun }),
        advice: await verbs.checkNodes(database),
      }));
      cli.output.rows(["Machine or table", "Rows", "Outcome"], steps.map(rowOf), { json: steps, empty: "There is nothing to distribute." });
      if (dryRun) note("Nothing was changed.");
      for (const line of advice) note(line);
    });
}

const rowOf = ({ subject, rows, outcome }: Step): string[] => [subject, rows === null ? "" : String(Math.round(rows)), outcome];

function nodeOf(text: string): Node {
  const [, host, port] = /^([^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined) throw new InvalidArgumentError("It must be host:port, such as 10.0.0.2:5432.");
  return { host, port: Number(port) };
}

/** There are 1024 parts: more shards than that would be empty. */
function shardsOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1024) throw new InvalidArgumentError("It must be a whole number from 1 to 1024.");
  return count;
}
