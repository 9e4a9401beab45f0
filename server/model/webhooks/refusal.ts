import { OperatorError } from "../kernel/operator-error.ts";

/** A problem with an endpoint; the pointer names the member: "#/url", "#/events". */
export interface EndpointProblem {
  pointer: string;
  message: string;
}

/** The settings of an endpoint are invalid. */
export class RefusedEndpoint extends OperatorError {
  readonly placed: readonly EndpointProblem[];

  constructor(...placed: readonly EndpointProblem[]) {
    super(...placed.map(({ message }) => message));
    this.placed = placed;
  }
}
