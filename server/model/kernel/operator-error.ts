/** A request that cannot be done. It has one plain line for each problem, with the remedy. */
export class OperatorError extends Error {
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "OperatorError";
    this.problems = problems;
  }
}
