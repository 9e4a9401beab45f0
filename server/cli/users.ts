import { type Command, Option } from "commander";
import { type Role, ROLES } from "../model/kernel/roles.ts";
import type { Cli } from "./context.ts";
import { note } from "./output.ts";

/** `user create`, and a new password for an Owner who lost theirs. Both print it. */
export function userCommands(program: Command, cli: Cli): void {
  const user = program.command("user").description("people who sign in to the dashboard");

  user
    .command("create")
    .description("creates a person and prints the generated password, once")
    .requiredOption("--email <address>")
    .addOption(new Option("--role <role>").choices(ROLES).makeOptionMandatory())
    .option("--project <slug>", "gives the role in this project alone; in the whole organization if left out")
    .action(async ({ email, role, project }: { email: string; role: Role; project?: string }) => {
      const signIn = await cli.reach({
        beside: ({ database, verbs }) => verbs.createUser(database, { email, role, projectSlug: project }),
      });
      note(`${signIn.email} is created. The password is shown only once:`);
      cli.output.data(signIn, signIn.password);
    });

  user
    .command("reset-password")
    .description("sets a new generated password for a person, prints it once, ends their sessions and revokes their tokens")
    .requiredOption("--email <address>")
    .action(async ({ email }: { email: string }) => {
      const signIn = await cli.reach({ beside: ({ database, verbs }) => verbs.renewPassword(database, email) });
      const { email: address, revokedTokens } = signIn;
      const tokens = revokedTokens === 0 ? "There were no personal tokens to revoke" : `Personal tokens revoked: ${revokedTokens}`;
      note(`${address} has a new password, and is signed out everywhere. ${tokens}. The password is shown only once:`);
      cli.output.data(signIn, signIn.password);
    });
}
