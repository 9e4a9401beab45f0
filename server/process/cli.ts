import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import { variables } from "../cli/connection.ts";
import { NO_SERVICE, type RunBeside } from "../cli/context.ts";
import { runCommand } from "../cli/program.ts";
import type { ServeEphemeral } from "../cli/serve.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";

/** Runs one command line and returns its exit code. `isAnywhere`: this is `engagement`, which knows logins, not `npm run cli`. */
export const run = (args: readonly string[], { isAnywhere = false } = {}): Promise<number> => {
  const runBeside: RunBeside = async (work) => {
    if (isAnywhere) mustBeBeside(variables());
    // Loaded only here: commands over /rpc need neither the service's settings nor its code.
    const [{ readSettings }, { openCipher }] = await Promise.all([import("./settings.ts"), import("./auth-secret.ts")]);
    const settings = readSettings();
    const { besideDatabase } = await import("../cli/beside.ts");
    return besideDatabase({ ...settings, openCipher: () => openCipher(settings) }, work);
  };
  const serve: ServeEphemeral = async (options) => (await import("./ephemeral.ts")).serveEphemeral(options);
  return runCommand(args, { isAnywhere, version: packageJson.version, runBeside, serve });
};

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Otherwise an embedded database would be created in the current folder. Throws OperatorError. */
function mustBeBeside({ DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): void {
  if (DATABASE_URL || DATA_DIR || `${process.cwd()}/` === ROOT) return;
  throw new OperatorError(`${NO_SERVICE} Beside the service's database, run this in its folder or set DATABASE_URL.`);
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
