import { type Command, Option } from "commander";
import { COMMAND_LINE, type Role, ROLES } from "../kernel/roles.ts";
import { formatInstant } from "../kernel/time.ts";
import { createTokenFor } from "../tokens/create.ts";
import { listAllTokens } from "../tokens/list.ts";
import { revokeAnyToken } from "../tokens/revoke.ts";
import { environmentOf, inProject, type Where, withDatabase } from "./context.ts";

interface Wanted {
  email: string;
  project?: string;
  name: string;
  role: Role;
  environment?: "sandbox" | "live" | "tests" | null;
  days: string;
}

/** `token create|list|revoke`: people's tokens, by which their programs call the dashboard's procedures. `create` prints the token. */
export function tokenCommands(program: Command): void {
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
    .action(({ email, project, name, role, environment = null, days }: Wanted) =>
      withDatabase(async (database) => {
        const where = await projectOf(database, project);
        const created = await createTokenFor(database, where, email, { name, role, environment, days: Number(days) });
        console.error(`The token "${name}" is created. It is shown only once:`);
        console.log(created);
      }),
    );

  inProject(token.command("list"))
    .description("prints the tokens of a project, a line for each: id, until when, name, maker, role, environment, last use")
    .action(({ project }: { project?: string }) =>
      withDatabase(async (database) => {
        const tokens = await listAllTokens(database, (await projectOf(database, project)).projectId);
        for (const one of tokens) console.log(lineOf(one).join("\t"));
        if (tokens.length === 0) console.error("There are no tokens in this project.");
      }),
    );

  inProject(token.command("revoke"))
    .description("revokes a token, from the next call on")
    .requiredOption("--id <id>", "as `token list` prints it")
    .action(({ project, id }: { project?: string; id: string }) =>
      withDatabase(async (database) => {
        const { projectId } = await projectOf(database, project);
        const { name } = await revokeAnyToken(database, { projectId, actor: COMMAND_LINE }, id);
        console.error(`The token "${name}" is revoked.`);
      }),
    );
}

type Token = Awaited<ReturnType<typeof listAllTokens>>[number];

/** The Sandbox stands for its project. */
const projectOf = (database: Parameters<typeof environmentOf>[0], project: Where["project"]) =>
  environmentOf(database, { project, environment: "sandbox" });

const lineOf = ({ id, name, maker, role, environment, expiresAt, isExpired, revokedAt, lastUsedAt }: Token) => [
  id,
  revokedAt !== null ? `revoked ${formatInstant(revokedAt)}` : `${isExpired ? "expired" : "until"} ${formatInstant(expiresAt)}`,
  name,
  maker,
  role,
  environment ?? "both",
  lastUsedAt === null ? "never used" : `last used ${formatInstant(lastUsedAt)}`,
];
