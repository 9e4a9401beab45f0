import { addressOf, oneOf, type Scope, type StateOf } from "../client/address.ts";

export const REQUESTS = addressOf({ state: oneOf(["closed"]) });

export const requestsInput = (scope: Scope, { state }: StateOf<typeof REQUESTS>, cursor: string | null) => ({
  ...scope,
  isClosed: state === "closed",
  cursor,
});
