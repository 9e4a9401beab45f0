import type { Kind } from "#server/model/definitions/contract.ts";
import { canonicalLanguage } from "#server/model/kernel/languages.ts";
import type { Scope } from "../../client/scope.ts";
import { isKind } from "../kinds/index.ts";

/** Filter state of the table in its URL: `?q=coffee&kind=missions&missing=1&add=fr`. */
export interface TextsView {
  search: string;
  kind: Kind | null;
  missing: boolean;
  /** Added languages without texts. */
  added: readonly string[];
}

const MAX_ADDED = 5;

/** Filter state from any address; invalid values become defaults. */
export function viewFrom({ q, kind, missing, add }: Record<string, string | string[] | undefined>): TextsView {
  const added =
    typeof add === "string"
      ? add
          .split(",")
          .map(canonicalLanguage)
          .filter((tag) => tag !== null)
      : [];
  return {
    search: typeof q === "string" ? q.slice(0, 200) : "",
    kind: typeof kind === "string" && isKind(kind) ? kind : null,
    missing: missing !== undefined,
    added: added.slice(0, MAX_ADDED),
  };
}

/** The query of the address; defaults are left out. */
export function queryOf({ search, kind, missing, added }: TextsView): string {
  const query = new URLSearchParams();
  if (search !== "") query.set("q", search);
  if (kind !== null) query.set("kind", kind);
  if (missing) query.set("missing", "1");
  if (added.length > 0) query.set("add", added.join(","));
  return query.size === 0 ? "" : `?${query}`;
}

/** The query of the export; `languages` are the table's columns. */
export const fileQuery = ({ search, kind, missing }: TextsView, languages: readonly string[]): Record<string, string> => ({
  ...(kind === null ? {} : { kind }),
  search,
  missing: String(missing),
  languages: languages.join(","),
});

const PAGE_SIZE = 50;

/** The input of the page query. */
export const textsInput = (scope: Scope, { search, kind, missing }: TextsView, languages: readonly string[], cursor: string | null) => ({
  ...scope,
  kind,
  search,
  missing,
  languages: [...languages],
  cursor,
  limit: PAGE_SIZE,
});

/** The environment's languages and the added ones. */
export const languagesShown = (known: readonly string[], added: readonly string[]): string[] => [
  ...known,
  ...added.filter((tag) => !known.some((one) => one.toLowerCase() === tag.toLowerCase())),
];
