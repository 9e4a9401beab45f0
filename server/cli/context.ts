import type { Beside, Installation } from "./beside.ts";
import type { Connection } from "./connection.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Output } from "./output.ts";
import { withProgress } from "./progress.ts";
import { explainCall, type Remote } from "./remote.ts";

/** The two ways to run a command. If one is left out, `Cli.reach` explains that it is missing. */
export interface Ways<T> {
  over?(remote: Remote): Promise<T>;
  beside?(beside: Beside): Promise<T>;
  /** For a command that runs until stopped, and prints as it goes. */
  isEndless?: boolean;
}

/** What all commands share. A command's own code is the same for a remote service and for the database beside it. */
export interface Cli {
  /** As set by the running command's options. */
  output: Output;
  /** Throws OperatorError if no service can be found. */
  connection(): Connection | null;
  /** Runs a command: over /rpc if a service is named, otherwise beside the database. Throws OperatorError. */
  reach<T>(ways: Ways<T>): Promise<T>;
  /** The exit code of a command that has not failed; 0 by default. */
  exitCode: number;
}

export async function reach<T>(
  connection: Connection | null,
  { over, beside, isEndless = false }: Ways<T>,
  readInstallation: () => Promise<Installation>,
): Promise<T> {
  if (connection === null) {
    if (!beside)
      throw new OperatorError("This needs a running service: log in with `engagement login --url …`, or give --url and --token.");
    const installation = await readInstallation();
    const { besideDatabase } = await import("./beside.ts");
    return withProgress(besideDatabase(installation, beside));
  }
  if (!over)
    throw new OperatorError(
      `This works beside the service's database alone, not over ${connection.url}: run it where the service runs, as \`npm run cli -- …\`.`,
    );
  const { Remote } = await import("./remote.ts");
  try {
    const work = over(new Remote(connection));
    return await (isEndless ? work : withProgress(work));
  } catch (error) {
    throw explainCall(error, connection.url);
  }
}
