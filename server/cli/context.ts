import { OperatorError } from "../model/kernel/operator-error.ts";
import type { Beside } from "./beside.ts";
import type { Connection } from "./connection.ts";
import { type Output, showProgress, styledNote } from "./output.ts";
import { explainCall, Remote } from "./remote.ts";
import type { Service } from "./service.ts";

/** What all commands share. */
export interface Cli {
  /** As set by the running command's options. */
  output: Output;
  /** Throws OperatorError if no service can be found. */
  connection(): Connection | null;
  /** Calls the service: over /rpc if one is named, otherwise beside its database. Throws OperatorError. */
  call<T>(work: (service: Service) => Promise<T>): Promise<T>;
  /** As `call`, for work that is only possible beside the database. */
  beside<T>(work: (beside: Beside) => Promise<T>): Promise<T>;
  /** As `call`, for work that needs a running service. `isEndless`: the command runs until stopped, and prints as it goes. */
  over<T>(work: (remote: Remote) => Promise<T>, options?: { isEndless?: boolean }): Promise<T>;
  /** The exit code of a command that has not failed; 0 by default. */
  exitCode: number;
}

export const NO_SERVICE =
  "Say which service: log in with `engagement login --url https://…`, or give --url and --token (ENGAGEMENT_URL, ENGAGEMENT_TOKEN).";

/** Runs a command's work beside the service's database. Throws OperatorError where there is none. */
export type RunBeside = <T>(work: (beside: Beside) => Promise<T>) => Promise<T>;

/** How commands reach their service. `runBeside` is null in a package that has no service. */
export function waysTo(connectionOf: () => Connection | null, runBeside: RunBeside | null): Pick<Cli, "call" | "beside" | "over"> {
  const beside = <T>(run: RunBeside, work: (beside: Beside) => Promise<T>): Promise<T> => translateErrors(null, withProgress(run(work)));

  async function over<T>(connection: Connection, work: (remote: Remote) => Promise<T>, isEndless = false): Promise<T> {
    const called = work(new Remote(connection));
    return translateErrors(connection.url, isEndless ? called : withProgress(called));
  }

  return {
    async call(work) {
      const connection = connectionOf();
      if (connection !== null) return over(connection, work);
      if (runBeside !== null) return beside(runBeside, work);
      throw new OperatorError(NO_SERVICE);
    },
    async beside(work) {
      const connection = connectionOf();
      if (connection === null && runBeside !== null) return beside(runBeside, work);
      const [elsewhere, without] =
        connection === null
          ? ["and this package has no service", ""]
          : [`not over ${connection.url}`, ", without --url and ENGAGEMENT_URL"];
      throw new OperatorError(
        `This works only beside the service's database, ${elsewhere}: run it where the service runs, as \`npm run cli -- …\`${without}.`,
      );
    },
    async over(work, { isEndless } = {}) {
      const connection = connectionOf();
      if (connection !== null) return over(connection, work, isEndless);
      throw new OperatorError("This needs a running service: log in with `engagement login --url …`, or give --url and --token.");
    },
  };
}

async function translateErrors<T>(url: string | null, called: Promise<T>): Promise<T> {
  try {
    return await called;
  } catch (error) {
    throw explainCall(error, url);
  }
}

const QUIET_MS = 1_000;

/** On a terminal, shows the elapsed time of work that takes more than a moment; the line disappears at the end. */
async function withProgress<T>(work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work;
  const began = performance.now();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    showProgress(styledNote("dim", `Working … ${Math.round((performance.now() - began) / 1000)} s`));
  }, QUIET_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (isShown) showProgress("");
  }
}
