import type { ErrorCode } from "./errors.ts";
import { plural } from "./thousands.ts";

/** One thing that is wrong with a request: `pointer` into the body, or the `parameter` of query or path. */
export interface ProblemEntry {
  code: ErrorCode;
  message: string;
  pointer?: string;
  parameter?: string;
}

/**
 * A refusal that the caller sees. The first entry gives code and status of the whole. The message is public; private facts go into
 * `cause`, which reaches the log and nothing else.
 */
export class Problem extends Error {
  readonly entries: readonly [ProblemEntry, ...ProblemEntry[]];
  /** The number of further problems that are not listed. */
  readonly more: number;

  constructor(entries: readonly [ProblemEntry, ...ProblemEntry[]], { more = 0, ...options }: ErrorOptions & { more?: number } = {}) {
    super(entries[0].message, options);
    this.name = "Problem";
    this.entries = entries;
    this.more = more;
  }

  get code(): ErrorCode {
    return this.entries[0].code;
  }
}

/** The most problems that an answer lists; the others are counted. A mistake repeated a hundred thousand times is one mistake. */
export const MAX_LISTED = 100;

export interface ListedProblem {
  code: ErrorCode;
  message: string;
}

/** Collects problems that are found one after the other. The message of an unlisted one is never built. */
export class Problems<Entry extends ListedProblem = ProblemEntry> {
  readonly #max: number;
  readonly listed: Entry[] = [];
  more = 0;

  constructor(max = MAX_LISTED) {
    this.#max = max;
  }

  add(describe: () => Entry): null {
    if (this.listed.length < this.#max) this.listed.push(describe());
    else this.more++;
    return null;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  /** The entries of an answer. */
  list(): (Entry | ListedProblem)[] {
    return withMore(this.listed, this.more);
  }
}

/** The first entries, and one for all others with their number; it has the code of the last one listed. */
export function withMore<Entry extends ListedProblem>(entries: readonly Entry[], more = 0): (Entry | ListedProblem)[] {
  const listed = entries.slice(0, MAX_LISTED);
  const rest = entries.length - listed.length + more;
  const last = listed.at(-1);
  if (rest === 0 || last === undefined) return listed;
  return [...listed, { code: last.code, message: `And ${plural(rest, "more problem")}.` }];
}

/** A problem with a single entry. */
export const problem = (code: ErrorCode, message: string, where: { pointer?: string; parameter?: string } = {}): Problem =>
  new Problem([{ code, message, ...where }]);

/** A problem with a field of a form; the pointer names the field. */
export interface FieldProblem {
  pointer: string;
  message: string;
}
