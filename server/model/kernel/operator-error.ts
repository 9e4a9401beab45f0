/** An operator asked for something that cannot be done. One plain line for each problem, with the remedy. */
export class OperatorError extends Error {
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "OperatorError";
    this.problems = problems;
  }
}
