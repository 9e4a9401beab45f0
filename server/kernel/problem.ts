import type { ErrorCode } from "./errors.ts";

/** One thing that is wrong with a request: `pointer` into the body, or the `parameter` of query or path (decisions.md 7). */
export interface ProblemEntry {
  code: ErrorCode;
  message: string;
  pointer?: string;
  parameter?: string;
}

/**
 * A refusal that the caller is told of. The first entry gives code and status of the whole. The message is public;
 * what only we may know goes into `cause`, which reaches the log and nothing else.
 */
export class Problem extends Error {
  readonly entries: readonly [ProblemEntry, ...ProblemEntry[]];

  constructor(entries: readonly [ProblemEntry, ...ProblemEntry[]], options?: ErrorOptions) {
    super(entries[0].message, options);
    this.name = "Problem";
    this.entries = entries;
  }

  get code(): ErrorCode {
    return this.entries[0].code;
  }
}

/** A problem with a single entry. */
export const problem = (code: ErrorCode, message: string, where: { pointer?: string; parameter?: string } = {}): Problem =>
  new Problem([{ code, message, ...where }]);
