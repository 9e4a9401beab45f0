import type { Scope } from "../client/scope.ts";

export const PAGE_SIZE = 50;

/** Longest text that players are searched by. */
const MAX_LENGTH = 200;

/** The search in the address: `?q=ann`. */
export const searchFrom = ({ q }: Record<string, string | string[] | undefined>): string =>
  typeof q === "string" ? q.slice(0, MAX_LENGTH) : "";

/** The input of the page query; the server prefetches with the same. */
export const playersInput = (scope: Scope, query: string, cursor: string | null) => ({
  ...scope,
  query: query.slice(0, MAX_LENGTH),
  cursor,
  limit: PAGE_SIZE,
});
