import type { Command } from "commander";
import { COMMAND_LINE } from "../model/kernel/roles.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";

interface NewProject {
  slug: string;
  name: string;
  language: string;
  timeZone: string;
  organization?: string;
}

/** `project create|archive`. */
export function projectCommands(program: Command, cli: Cli): void {
  const project = program.command("project").description("projects, each with a Sandbox and a Live environment");

  project
    .command("create")
    .description("creates a project")
    .requiredOption("--slug <slug>", "names the project here and in addresses, such as acme")
    .requiredOption("--name <name>", "what people see")
    .requiredOption("--language <tag>", "default language, such as en or nl-BE")
    .requiredOption("--time-zone <zone>", "default time zone, such as Europe/Amsterdam")
    .option("--organization <slug>", "the installation's first one if left out; a new slug makes a new one")
    .action(async ({ slug, name, language, timeZone, organization }: NewProject) => {
      const settings = { slug, name, defaultLanguage: language, timeZone };
      await cli.reach<unknown>({
        beside: ({ database, verbs }) => verbs.createProject(database, settings, organization, 0, COMMAND_LINE),
      });
      note(`Project ${slug} is created, with its environments sandbox and live.`);
    });

  project
    .command("archive")
    .description("archives a project: from now on its API keys answer 404")
    .requiredOption("--slug <slug>")
    .action(async ({ slug }: { slug: string }) => {
      await cli.reach<unknown>({
        over: ({ rpc }) => rpc.projects.archive({ project: slug, confirmation: slug }),
        beside: ({ database, verbs }) => verbs.archiveProject(database, slug),
      });
      note(`Project ${slug} is archived.`);
    });
}
