import type { ShownRequest } from "../code/request.ts";

/** A request that a guide shows, and what it is answered with. The guides' test sends each to a real service and compares. */
export interface Exchange extends ShownRequest {
  status: number;
  /** What is shown of the answer: all of it, or the part that matters. Its ids and instants are examples. */
  answer?: unknown;
}

/** Lines for a shell beside the service. The guides' test runs them, and each has to succeed. */
export interface Command {
  command: string;
}

/** What a guide does, in this order, from a Sandbox with the demo's definitions in which the guide's players are unknown. */
export type Steps = Readonly<Record<string, Exchange | Command>>;

/** An instant so many days after `now`, to the second, as people write it. */
export const instant = (now: number, days = 0): string => new Date(now + days * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
