import type { Command } from "./exchange.ts";

/** A command line for a checkout of the service. */
export const commandLine = (words: string): string => `npm run --silent cli -- ${words}`;

/** The start of every guide: a key in an exported shell variable. */
export const MAKE_KEY: Command = {
  command: `export KEY=$(${commandLine("api-key create --project demo --environment sandbox --name guides")})`,
};
