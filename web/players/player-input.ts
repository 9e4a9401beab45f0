import type { Scope } from "../client/scope.ts";

/** How many purchases, and how many completed missions, are shown at a time. */
const PAGE_SIZE = 10;

/** The input of the queries for a player's lists; the server prefetches the first page with the same. */
export const pageInput = (scope: Scope, externalId: string, cursor: string | null) => ({ ...scope, externalId, cursor, limit: PAGE_SIZE });
