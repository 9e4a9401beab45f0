import { type Command, Option } from "commander";
import { createUser } from "../identity/create-user.ts";
import { renewPassword } from "../identity/renew-password.ts";
import { type Role, ROLES } from "../kernel/roles.ts";
import { withDatabase } from "./context.ts";

/** `user create`, and a new password for an Owner who lost theirs. Both print it. */
export function userCommands(program: Command): void {
  const user = program.command("user").description("people who sign in to the dashboard");

  user
    .command("create")
    .description("creates a person and prints the generated password, once")
    .requiredOption("--email <address>")
    .addOption(new Option("--role <role>").choices(ROLES).makeOptionMandatory())
    .option("--project <slug>", "gives the role in this project alone; in the whole organization if left out")
    .action(({ email, role, project }: { email: string; role: Role; project?: string }) =>
      withDatabase(async (database) => {
        const signIn = await createUser(database, { email, role, projectSlug: project });
        console.error(`${signIn.email} is created. The password is shown only once:`);
        console.log(signIn.password);
      }),
    );

  user
    .command("reset-password")
    .description("sets a new generated password for a person, prints it once and ends their sessions")
    .requiredOption("--email <address>")
    .action(({ email }: { email: string }) =>
      withDatabase(async (database) => {
        const signIn = await renewPassword(database, email);
        console.error(`${signIn.email} has a new password, and is signed out everywhere. It is shown only once:`);
        console.log(signIn.password);
      }),
    );
}
