import type { Command } from "commander";
import { COMMAND_LINE } from "../kernel/roles.ts";
import { archiveProject } from "../projects/archive.ts";
import { createProject } from "../projects/create.ts";
import { withDatabase } from "./context.ts";

interface NewProject {
  slug: string;
  name: string;
  language: string;
  timeZone: string;
  organization?: string;
}

/** `project create|archive`. */
export function projectCommands(program: Command): void {
  const project = program.command("project").description("projects, each with a Sandbox and a Live environment");

  project
    .command("create")
    .description("creates a project")
    .requiredOption("--slug <slug>", "names the project here and in addresses, such as acme")
    .requiredOption("--name <name>", "what people see")
    .requiredOption("--language <tag>", "default language, such as en or nl-BE")
    .requiredOption("--time-zone <zone>", "default time zone, such as Europe/Amsterdam")
    .option("--organization <slug>", "the installation's first one if left out; a new slug makes a new one")
    .action(({ slug, name, language, timeZone, organization }: NewProject) =>
      withDatabase(async (database) => {
        await createProject(database, { slug, name, defaultLanguage: language, timeZone }, organization, 0, COMMAND_LINE);
        console.error(`Project ${slug} is created, with its environments sandbox and live.`);
      }),
    );

  project
    .command("archive")
    .description("archives a project: from now on its API keys answer 404")
    .requiredOption("--slug <slug>")
    .action(({ slug }: { slug: string }) =>
      withDatabase(async (database) => {
        await archiveProject(database, slug);
        console.error(`Project ${slug} is archived.`);
      }),
    );
}
