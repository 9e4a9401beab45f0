import type { Scope } from "../_client/scope.ts";

export type StatusFilter = "all" | "Pending" | "Held" | "Delivered" | "Failed";

/** What the list of an endpoint's deliveries asks; the page asks the same, so that the list finds it there. */
export const deliveriesInput = (scope: Scope, id: string, status: StatusFilter, cursor: string | null) => ({
  ...scope,
  id,
  status: status === "all" ? null : status,
  cursor,
});
