import type { Command } from "./exchange.ts";

/** A line of the command line, as it is typed where the service is checked out. */
export const commandLine = (words: string): string => `npm run --silent cli -- ${words}`;

/** What every guide begins with: a key, in a variable of the shell that programs started there see too. */
export const MAKE_KEY: Command = {
  command: `export KEY=$(${commandLine("api-key create --project demo --environment sandbox --name guides")})`,
};
