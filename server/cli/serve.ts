import { type Command, InvalidArgumentError } from "commander";
import { OperatorError } from "../model/kernel/operator-error.ts";
import { bearerToken } from "../model/tokens/token.ts";
import { variables } from "./connection.ts";
import type { Cli } from "./context.ts";
import { readSource, type Source } from "./definition-files.ts";
import { note } from "./output.ts";

export interface EphemeralOptions {
  port: number;
  /** The definitions of the Sandbox that it serves. */
  definitions: Source | undefined;
  /** The token and the key to accept; random ones if undefined. */
  token: string | undefined;
  key: string | undefined;
}

/** A service that is a test double, as a test calls it. */
export interface Ephemeral {
  url: string;
  /** A token for tests: it makes test projects. */
  token: string;
  /** A project with the given definitions, and an API key of its Sandbox. */
  project: string;
  key: string;
}

/** Starts such a service in this process; it stops with the process. */
export type ServeEphemeral = (options: EphemeralOptions) => Promise<Ephemeral>;

interface ServeOptions {
  ephemeral?: true;
  port: number;
  definitions?: string;
}

/** `serve --ephemeral`: the service as a test double. `serve` is null in a package that has no service. */
export function serveCommand(program: Command, cli: Cli, serve: ServeEphemeral | null): void {
  program
    .command("serve")
    .option("--ephemeral", "keep no data; required, since a service that keeps its data is started by `npm start` or its image")
    .option("--port <number>", "the port to listen on", portOf, 3000)
    .option("--definitions <path>", "a definitions file or folder, for the Sandbox of its project")
    .action(async ({ ephemeral, port, definitions }: ServeOptions) => {
      if (ephemeral === undefined)
        throw new OperatorError("Add --ephemeral. A service that keeps its data is started by `npm start`, or by its image.");
      if (serve === null)
        throw new OperatorError(
          "This package has no service. Run the image: docker run --rm -p 3000:3000 <image>:<version>-ephemeral; or this command in a checkout.",
        );
      const source = definitions === undefined ? undefined : await withItsImages(readSource(definitions));
      const served = await serve({ port, definitions: source, ...givenCredentials(variables()) });
      const { url, project } = served;
      const lines = [`ENGAGEMENT_URL=${url}`, `ENGAGEMENT_TOKEN=${served.token}`, `ENGAGEMENT_KEY=${served.key}`];
      cli.output.data(served, lines.join("\n"));
      note(`An ephemeral engagement service runs at ${url}. The token makes test projects; the key is of the Sandbox of "${project}".`);
    });
}

/** A new service has no images, so the file has all of those beside it. */
async function withItsImages(source: Source): Promise<Source> {
  // Loaded only here: other commands start without the shapes of definitions.
  const { withImages } = await import("./definition-images.ts");
  return { ...source, document: withImages(source.document, source.path, () => false) };
}

/** The token and the key that the environment names. Throws OperatorError if their format is invalid. */
function givenCredentials({ ENGAGEMENT_TOKEN, ENGAGEMENT_KEY }: NodeJS.ProcessEnv): Pick<EphemeralOptions, "token" | "key"> {
  const [token, key] = [ENGAGEMENT_TOKEN || undefined, ENGAGEMENT_KEY || undefined];
  const problems = [
    token !== undefined && bearerToken(`Bearer ${token}`) === null && "ENGAGEMENT_TOKEN must be svc_pat_ and 64 hex digits.",
    key !== undefined && !/^svc_sbox_[0-9a-f]{64}$/.test(key) && "ENGAGEMENT_KEY must be svc_sbox_ and 64 hex digits.",
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new OperatorError(...problems);
  return { token, key };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError("It must be a port number, 1 to 65535.");
  return port;
}
