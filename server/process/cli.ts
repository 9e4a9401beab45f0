import type { Installation } from "../cli/beside.ts";
import { runCommand } from "../cli/program.ts";

/** Runs one command line and returns its exit code. `isAnywhere`: this is `engagement`, which knows logins, not `npm run cli`. */
export const run = (args: readonly string[], { isAnywhere = false } = {}): Promise<number> =>
  runCommand(args, { isAnywhere, readInstallation });

/** Loaded only for commands beside the database: commands over /rpc need no service settings. */
async function readInstallation(): Promise<Installation> {
  const [{ readSettings }, { openCipher }] = await Promise.all([import("./settings.ts"), import("./auth-secret.ts")]);
  const settings = readSettings();
  return { ...settings, openCipher: () => openCipher(settings) };
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
