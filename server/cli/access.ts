import { type Command, Option } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { COMMAND_LINE, type Role, ROLES } from "../model/kernel/environment.ts";
import { formatInstant } from "../model/kernel/time.ts";
import type { Beside } from "./beside.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";
import { inEnvironment, inProject, type Service, type Where } from "./service.ts";

/** `user create|reset-password|reset-second-factor`: the first two print a password. */
export function userCommands(program: Command, cli: Cli): void {
  const user = program.command("user").description("people who sign in to the dashboard");

  user
    .command("create")
    .requiredOption("--email <address>")
    .addOption(new Option("--role <role>").choices(ROLES).makeOptionMandatory())
    .addOption(new Option("--live-role <role>", "a lower role in Live; the same if left out").choices(ROLES))
    .option("--project <slug>", "the role applies only in this project; in the whole organization if left out")
    .action(async ({ project, ...wanted }: { email: string; role: Role; liveRole?: Role; project?: string }) => {
      const signIn = await cli.beside(({ database, verbs }) => verbs.createUser(database, { ...wanted, projectSlug: project }));
      note(`${signIn.email} is created. The password is shown only once:`);
      cli.output.data(signIn, signIn.password);
    });

  user
    .command("reset-password")
    .requiredOption("--email <address>")
    .action(async ({ email }: { email: string }) => {
      const signIn = await cli.beside(({ database, verbs }) => verbs.renewPassword(database, email));
      const { email: address, revokedTokens } = signIn;
      const tokens = revokedTokens === 0 ? "There were no personal tokens to revoke" : `Personal tokens revoked: ${revokedTokens}`;
      note(`${address} has a new password, and is signed out everywhere. ${tokens}. The password is shown only once:`);
      cli.output.data(signIn, signIn.password);
    });

  user
    .command("reset-second-factor")
    .requiredOption("--email <address>")
    .action(async ({ email }: { email: string }) => {
      const address = await cli.beside(({ database, verbs }) => verbs.resetFactorOf(database, email));
      note(`${address} signs in with the password alone until they set up a second factor again. They are signed out everywhere.`);
      cli.output.data({ email: address }, address);
    });
}

type Named = Where & { name: string };

/** `api-key create|list|revoke`: `create` prints the key. */
export function apiKeyCommands(program: Command, cli: Cli): void {
  const apiKey = program.command("api-key").description("keys of the public API, each bound to one environment");

  inEnvironment(apiKey.command("create"))
    .requiredOption("--name <name>", "its name")
    .action(async ({ name, ...options }: Named) => {
      const { key } = await cli.call(async (service) => service.rpc.keys.create({ ...(await service.where(options)), name }));
      note(`The API key "${name}" is created. It is shown only once:`);
      cli.output.data({ key }, key);
    });

  inEnvironment(apiKey.command("list")).action(async (options: Where) => {
    const keys = await cli.call(async (service) => service.rpc.keys.list(await service.where(options)));
    const rows = keys.map(({ name, hint, createdAt, lastUsedAt, revokedAt }) => [
      ...[name, hint, `created ${createdAt}`],
      lastUsedAt === null ? "never used" : `last used ${lastUsedAt}`,
      revokedAt === null ? "active" : `revoked ${revokedAt}`,
    ]);
    cli.output.rows(["NAME", "KEY", "CREATED", "USED", "STATE"], rows, {
      json: keys,
      empty: "There are no API keys in this environment.",
    });
  });

  inEnvironment(apiKey.command("revoke"))
    .requiredOption("--name <name>", "the name that it was created with")
    .action(async ({ name, ...options }: Named) => {
      const revoked = await cli.call((service) => revokeNamed(service, name, options));
      note(revoked === 1 ? `The API key "${name}" is revoked.` : `${revoked} API keys "${name}" are revoked.`);
    });
}

/** Revokes all keys of a name, which several may share, and returns their number. Throws OperatorError if there is none. */
async function revokeNamed(service: Service, name: string, options: Where): Promise<number> {
  const { rpc } = service;
  const place = await service.where(options);
  const inForce = (await rpc.keys.list(place)).filter(({ revokedAt }) => revokedAt === null);
  const named = inForce.filter((key) => key.name === name.trim());
  if (named.length === 0) {
    const names = [...new Set(inForce.map((key) => key.name).reverse())];
    const others = names.length > 0 ? `there are: ${names.join(", ")}.` : "the environment has no keys.";
    throw new OperatorError(`There is no key named "${name}" in force; ${others}`);
  }
  for (const { id } of named) await rpc.keys.revoke({ ...place, id });
  return named.length;
}

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
    .requiredOption("--email <address>", "the member: the token acts as them and ends with their membership")
    .requiredOption("--name <name>", "its name")
    .addOption(new Option("--role <role>", "its role, at most that of its maker").choices(ROLES).makeOptionMandatory())
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
      const created = await cli.beside(async ({ database, verbs, environment: find }) =>
        verbs.createTokenFor(database, await find(inSandbox(project)), email, wanted),
      );
      note(`The token "${name}" is created. It is shown only once:`);
      cli.output.data({ token: created }, created);
    });

  inProject(token.command("list")).action(async ({ project }: { project?: string }) => {
    const tokens = await cli.beside(async ({ database, verbs, environment }) =>
      verbs.listAllTokens(database, (await environment(inSandbox(project))).projectId),
    );
    cli.output.rows(["ID", "STATE", "NAME", "MAKER", "ROLE", "ENVIRONMENT", "USED"], tokens.map(cellsOf), {
      json: tokens.map(jsonOf),
      empty: "There are no tokens in this project.",
    });
  });

  inProject(token.command("revoke"))
    .requiredOption("--id <id>", "as `token list` prints it")
    .action(async ({ project, id }: { project?: string; id: string }) => {
      const { name } = await cli.beside(async ({ database, verbs, environment }) => {
        const { projectId } = await environment(inSandbox(project));
        return verbs.revokeAnyToken(database, { projectId, actor: COMMAND_LINE }, id);
      });
      note(`The token "${name}" is revoked.`);
    });
}

/** A project's Sandbox stands for the project. */
const inSandbox = (project: string | undefined): Where => ({ project, environment: "sandbox" });

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

const jsonOf = ({ makerId: _, isExpired: __, ...token }: Token) => ({
  ...token,
  createdAt: formatInstant(token.createdAt),
  expiresAt: formatInstant(token.expiresAt),
  lastUsedAt: instantOf(token.lastUsedAt),
  revokedAt: instantOf(token.revokedAt),
});
