import type { Kind } from "#server/model/definitions/contract.ts";
import { SORTED_FIELDS } from "#server/model/rules/summary.ts";
import { addressOf, oneOf, type Scope, type StateOf, textUpTo } from "../../client/address.ts";

/** Filter state of a list in its URL: `?q=coffee&status=off&sort=name&order=ascending`. */
export const LIST = addressOf({
  q: textUpTo(200),
  status: oneOf(["active", "off"]),
  sort: oneOf(["created", "updated", "name", "key", "usedBy", "completions", ...SORTED_FIELDS]),
  order: oneOf(["ascending"]),
});

export const PAGE_SIZE = 50;

/** The input of the page query; the server prefetches the first page with the same. */
export const definitionsInput = (scope: Scope, kind: Kind, { q, status, sort, order }: StateOf<typeof LIST>, cursor: string | null) => ({
  ...scope,
  kind,
  search: q ?? "",
  status: status ?? ("all" as const),
  sort: sort ?? ("created" as const),
  direction: order ?? ("descending" as const),
  cursor,
  limit: PAGE_SIZE,
});
