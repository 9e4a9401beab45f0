import { type Command, Option } from "commander";
import { COMMAND_LINE, type Role, ROLES } from "../model/kernel/roles.ts";
import { formatInstant } from "../model/kernel/time.ts";
import type { Beside } from "./beside.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inProject } from "./where.ts";

interface Wanted {
  email: string;
  project?: string;
  name: string;
  role: Role;
  environment?: "sandbox" | "live" | "tests" | null;
  days: string;
}

/**
 * `token create|list|revoke`, beside the database: people's tokens, with which their programs call the dashboard's procedures. No token may
 * make these calls; people create theirs in the dashboard or with `engagement login`.
 */
export function tokenCommands(program: Command, cli: Cli): void {
  const token = program.command("token").description("personal tokens, for programs that do what a person can do in the dashboard");

  inProject(token.command("create"))
    .description("creates a token of a member and prints it, once")
    .requiredOption("--email <address>", "whose token it is: it acts as them and ends with their membership")
    .requiredOption("--name <name>", "its name")
    .addOption(new Option("--role <role>", "what it can do, no more than its maker").choices(ROLES).makeOptionMandatory())
    .addOption(
      new Option("--environment <environment>", "limits it to one, or to test projects; both if left out").choices([
        "sandbox",
        "live",
        "tests",
      ]),
    )
    .option("--days <number>", "days until it expires", "90")
    .action(async ({ email, project, name, role, environment = null, days }: Wanted) => {
      const wanted = { name, role, environment, days: Number(days) };
      const created = await cli.reach({
        beside: async ({ database, verbs, ...beside }) => verbs.createTokenFor(database, await beside.project({ project }), email, wanted),
      });
      note(`The token "${name}" is created. It is shown only once:`);
      cli.output.data({ token: created }, created);
    });

  inProject(token.command("list"))
    .description("prints the tokens of a project, a line for each: id, until when, name, maker, role, environment, last use")
    .action(async ({ project }: { project?: string }) => {
      const tokens = await cli.reach({
        beside: async ({ database, verbs, ...beside }) => verbs.listAllTokens(database, (await beside.project({ project })).projectId),
      });
      cli.output.rows(["ID", "STATE", "NAME", "MAKER", "ROLE", "ENVIRONMENT", "USED"], tokens.map(cellsOf), {
        json: tokens.map(jsonOf),
        empty: "There are no tokens in this project.",
      });
    });

  inProject(token.command("revoke"))
    .description("revokes a token, from the next call on")
    .requiredOption("--id <id>", "as `token list` prints it")
    .action(async ({ project, id }: { project?: string; id: string }) => {
      const { name } = await cli.reach({
        beside: async ({ database, verbs, ...beside }) => {
          const { projectId } = await beside.project({ project });
          return verbs.revokeAnyToken(database, { projectId, actor: COMMAND_LINE }, id);
        },
      });
      note(`The token "${name}" is revoked.`);
    });
}

type Token = Awaited<ReturnType<Beside["verbs"]["listAllTokens"]>>[number];

const cellsOf = ({ id, name, maker, role, environment, expiresAt, isExpired, revokedAt, lastUsedAt }: Token): string[] => [
  id,
  revokedAt !== null ? `revoked ${formatInstant(revokedAt)}` : `${isExpired ? "expired" : "until"} ${formatInstant(expiresAt)}`,
  name,
  maker,
  role,
  environment ?? "both",
  lastUsedAt === null ? "never used" : `last used ${formatInstant(lastUsedAt)}`,
];

const instantOf = (at: number | null): string | null => (at === null ? null : formatInstant(at));

const jsonOf = ({ id, name, hint, maker, role, environment, createdAt, expiresAt, lastUsedAt, revokedAt }: Token) => ({
  ...{ id, name, hint, maker, role, environment },
  createdAt: formatInstant(createdAt),
  expiresAt: formatInstant(expiresAt),
  lastUsedAt: instantOf(lastUsedAt),
  revokedAt: instantOf(revokedAt),
});
