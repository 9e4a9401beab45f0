import type { Beside, Installation } from "./beside.ts";
import type { Connection } from "./connection.ts";
import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Output } from "./output.ts";
import { withProgress } from "./progress.ts";
import { explainCall, type Remote } from "./remote.ts";

/** The two ways of a command. One that is left out is not there, and `Cli.reach` says so in words. */
export interface Ways<T> {
  over?(remote: Remote): Promise<T>;
  beside?(beside: Beside): Promise<T>;
  /** For a command that goes on until it is ended, and prints while it does. */
  isEndless?: boolean;
}

/** What the commands share. A command's own part is the same for a service somewhere else and for the database beside it. */
export interface Cli {
  /** As the options of the running command say. */
  output: Output;
  /** Throws OperatorError where no service can be found. */
  connection(): Connection | null;
  /** Runs a command: over /rpc where a service is named, otherwise beside the database. Throws OperatorError. */
  reach<T>(ways: Ways<T>): Promise<T>;
  /** The exit code of a command that has not failed; 0 unless it says otherwise. */
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
