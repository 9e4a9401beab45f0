import type { Kind } from "#server/model/definitions/contract.ts";
import { canonicalLanguage } from "#server/model/kernel/languages.ts";
import type { Scope } from "../../client/scope.ts";
import { isKind } from "../kinds/index.ts";

/** What the table shows, as its address says it: `?q=coffee&kind=missions&missing=1&add=fr`. */
export interface TextsView {
  search: string;
  kind: Kind | null;
  missing: boolean;
  /** Languages that no text has yet. */
  added: readonly string[];
}

const MOST_ADDED = 5;

/** Whatever the address says, a table that can be shown. */
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
    added: added.slice(0, MOST_ADDED),
  };
}

/** The query of the address; what is as usual is left out. */
export function queryOf({ search, kind, missing, added }: TextsView): string {
  const query = new URLSearchParams();
  if (search !== "") query.set("q", search);
  if (kind !== null) query.set("kind", kind);
  if (missing) query.set("missing", "1");
  if (added.length > 0) query.set("add", added.join(","));
  return query.size === 0 ? "" : `?${query}`;
}

/** The query of the file; `languages` are all that the table has a column for. */
export const fileQuery = ({ search, kind, missing }: TextsView, languages: readonly string[]): Record<string, string> => ({
  ...(kind === null ? {} : { kind }),
  search,
  missing: String(missing),
  languages: languages.join(","),
});

const PAGE_SIZE = 50;

/** The input of the call that reads a page. */
export const textsInput = (scope: Scope, { search, kind, missing }: TextsView, languages: readonly string[], cursor: string | null) => ({
  ...scope,
  kind,
  search,
  missing,
  languages: [...languages],
  cursor,
  limit: PAGE_SIZE,
});

/** The languages of the environment, with those that were added. */
export const languagesShown = (known: readonly string[], added: readonly string[]): string[] => [
  ...known,
  ...added.filter((tag) => !known.some((one) => one.toLowerCase() === tag.toLowerCase())),
];
