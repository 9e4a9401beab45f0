import { type Command, Option } from "commander";
import { type Role, ROLES } from "../kernel/roles.ts";
import { createUser } from "../projects/service.ts";
import { withDatabase } from "./context.ts";

/** `user create` of operations.md: prints the password. */
export function userCommands(program: Command): void {
  program
    .command("user")
    .description("people who sign in to the dashboard")
    .command("create")
    .description("creates a person and prints the generated password, once")
    .requiredOption("--email <address>")
    .addOption(new Option("--role <role>").choices(ROLES).makeOptionMandatory())
    .option("--project <slug>", "gives the role in this project alone; left out: in the whole organization")
    .action(({ email, role, project }: { email: string; role: Role; project?: string }) =>
      withDatabase(async (database) => {
        const signIn = await createUser(database, { email, role, projectSlug: project });
        console.error(`${signIn.email} is created. The password is shown this once:`);
        console.log(signIn.password);
      }),
    );
}
