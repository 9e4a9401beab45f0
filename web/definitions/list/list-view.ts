import type { Kind } from "#server/model/definitions/contract.ts";
import { SORTED_FIELDS } from "#server/model/rules/summary.ts";
import type { Scope } from "../../client/scope.ts";

/** Filter state of a list in its URL: `?q=coffee&status=off&sort=name&order=descending`. */
export interface ListView {
  search: string;
  status: "active" | "off" | "all";
  sort: (typeof SORTS)[number];
  direction: "ascending" | "descending";
}

const SORTS = ["created", "updated", "name", "key", "usedBy", ...SORTED_FIELDS] as const;

export const PAGE_SIZE = 50;

const DEFAULT: ListView = { search: "", status: "all", sort: "created", direction: "descending" };

type Parameters = Record<string, string | string[] | undefined>;

const oneOf = <T extends string>(value: unknown, values: readonly T[], otherwise: T): T =>
  values.includes(value as T) ? (value as T) : otherwise;

/** Filter state from any address; invalid values become defaults. */
export function viewFrom({ q, status, sort, order }: Parameters): ListView {
  return {
    search: typeof q === "string" ? q.slice(0, 200) : "",
    status: oneOf(status, ["active", "off", "all"], DEFAULT.status),
    sort: oneOf(sort, SORTS, DEFAULT.sort),
    direction: oneOf(order, ["ascending", "descending"], DEFAULT.direction),
  };
}

/** The query of the address; defaults are left out. */
export function queryOf({ search, status, sort, direction }: ListView): string {
  const query = new URLSearchParams();
  if (search !== "") query.set("q", search);
  if (status !== DEFAULT.status) query.set("status", status);
  if (sort !== DEFAULT.sort) query.set("sort", sort);
  if (direction !== DEFAULT.direction) query.set("order", direction);
  return query.size === 0 ? "" : `?${query}`;
}

/** The input of the page query; the server prefetches the first page with the same. */
export const listInput = (scope: Scope, kind: Kind, view: ListView, cursor: string | null) => ({
  ...scope,
  kind,
  ...view,
  cursor,
  limit: PAGE_SIZE,
});
