import { type Command, InvalidArgumentError } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { plural } from "../model/kernel/thousands.ts";
import type { Cli } from "./context.ts";
import { readSource } from "./definition-files.ts";
import { importSource } from "./definitions.ts";
import { note } from "./output.ts";
import { projectOption } from "./service.ts";

interface CreateOptions {
  definitions?: string;
  timeZone?: string;
  language?: string;
  hours?: number;
}

interface SettledOptions {
  project: string;
  player?: string;
  deliveries?: true;
  within: number;
}

/** Longest wait of one call at the service. */
const MAX_WAIT_MS = 20_000;

/**
 * `test create|settled|remove`: a test project without a kit, for a shell or any language that can run a program. Its clock, its webhooks
 * and all else are reached by the other commands, with `--project`.
 */
export function testProjectCommands(program: Command, cli: Cli): void {
  const tests = program.command("test").description("test projects, with a token for tests: players, a clock and webhooks of a test's own");

  tests
    .command("create")
    .option("--definitions <path>", "a definitions file or folder to begin with")
    .option("--time-zone <zone>", "that of the token's project if left out")
    .option("--language <tag>", "that of the token's project if left out")
    .option("--hours <number>", "hours until it is removed by itself; 4 if left out", numberOf)
    .action(async ({ definitions, timeZone, language, hours }: CreateOptions) => {
      // Read first, so that a mistake in the files leaves no project behind.
      const source = definitions === undefined ? null : readSource(definitions);
      const made = await cli.over(async (remote) => {
        const { project: home } = await remote.bounds();
        const created = await remote.rpc.testProjects.create({ project: home, timeZone, defaultLanguage: language, hours });
        if ("problems" in created) throw new OperatorError(...created.problems.map(({ message }) => message));
        const place = { project: created.slug, environment: "sandbox" as const };
        try {
          const { key } = await remote.rpc.keys.create({ ...place, name: "tests" });
          if (source !== null) await importSource(cli, place, source, {});
          return { url: remote.url, project: created.slug, key };
        } catch (error) {
          await remote.rpc.testProjects.remove({ project: home, slug: created.slug }).catch(() => {});
          throw error;
        }
      });
      const { url, project, key } = made;
      cli.output.data(made, `ENGAGEMENT_PROJECT=${project}\nENGAGEMENT_KEY=${key}`);
      note(`The test project is at ${url}/dashboard/${project}/sandbox. \`engagement test remove --project ${project}\` ends it.`);
    });

  tests
    .command("settled")
    .addOption(projectOption("the test project").makeOptionMandatory())
    .option("--player <id>", "wait for this player only")
    .option("--deliveries", "also wait until due webhooks are attempted")
    .option("--within <seconds>", "the longest wait", numberOf, 30)
    .action(async ({ project, player, deliveries, within }: SettledOptions) => {
      const deadline = performance.now() + within * 1_000;
      const wanted = { project, environment: "sandbox" as const, player: player ?? null, deliveries: deliveries === true };
      await cli.over(async ({ rpc }) => {
        for (;;) {
          const withinMs = Math.max(0, Math.min(MAX_WAIT_MS, Math.round(deadline - performance.now())));
          const found = await rpc.work.settled({ ...wanted, withinMs });
          if (found.quarantined > 0)
            throw new OperatorError(
              `${plural(found.quarantined, "event")} could not be applied: see Developers → Quarantine in the dashboard.`,
            );
          if (found.isSettled) return;
          if (performance.now() < deadline) continue;
          const waiting = `${plural(found.facts, "event")}, ${plural(found.fills, "leaderboard")} and ${plural(found.deliveries, "webhook")}`;
          throw new OperatorError(`After ${within} s still waiting: ${waiting}.`);
        }
      });
    });

  tests
    .command("remove")
    .addOption(projectOption("the test project").makeOptionMandatory())
    .action(async ({ project }: { project: string }) => {
      await cli.over(async (remote) => remote.rpc.testProjects.remove({ project: (await remote.bounds()).project, slug: project }));
      note(`The test project ${project} is removed.`);
    });
}

function numberOf(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number > 0 && number < 1e6)) throw new InvalidArgumentError("It must be a number above 0.");
  return number;
}
