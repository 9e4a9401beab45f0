import type { Command } from "commander";
import { COMMAND_LINE } from "../model/kernel/environment.ts";
import { plural } from "../model/kernel/thousands.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, type Where } from "./service.ts";

interface NewProject {
  slug: string;
  name: string;
  language: string;
  timeZone: string;
  organization?: string;
}

/** `project create|archive`, `environment reset`, `clock advance`. */
export function projectCommands(program: Command, cli: Cli): void {
  const project = program.command("project").description("projects, each with a Sandbox and a Live environment");

  project
    .command("create")
    .requiredOption("--slug <slug>", "the project's name here and in addresses, such as acme")
    .requiredOption("--name <name>", "the displayed name")
    .requiredOption("--language <tag>", "default language, such as en or nl-BE")
    .requiredOption("--time-zone <zone>", "default time zone, such as Europe/Amsterdam")
    .option("--organization <slug>", "its slug; the installation's first organization if left out. A new slug creates one")
    .action(async ({ slug, name, language, timeZone, organization }: NewProject) => {
      const settings = { slug, name, defaultLanguage: language, timeZone };
      await cli.beside(({ database, verbs }) => verbs.createProject(database, settings, organization, 0, COMMAND_LINE));
      note(`Project ${slug} is created, with its environments sandbox and live.`);
    });

  project
    .command("archive")
    .requiredOption("--slug <slug>")
    .action(async ({ slug }: { slug: string }) => {
      await cli.call(({ rpc }) => rpc.projects.archive({ project: slug, confirmation: slug }));
      note(`Project ${slug} is archived.`);
    });

  inEnvironment(program.command("environment").description("Sandbox and Live of a project").command("reset")).action(
    async (options: Where) => {
      const { project, players } = await cli.call(async (service) => {
        const place = await service.where(options);
        return { ...place, ...(await service.rpc.work.reset({ ...place, confirmation: place.project })) };
      });
      const gone = players === 0 ? "There were no players." : `${plural(players, "player")} deleted.`;
      note(`The Sandbox of ${project} is reset; definitions and keys are kept. ${gone}`);
    },
  );

  inEnvironment(program.command("clock").description("the clock of a Sandbox").command("advance"))
    .requiredOption("--by <duration>", "an ISO 8601 duration in the project's time zone, such as P1D")
    .action(async ({ by, ...options }: Where & { by: string }) => {
      const { now } = await cli.call(async (service) => service.rpc.work.moveClock({ ...(await service.where(options)), by }));
      cli.output.data({ now }, now);
    });
}
