import type { Kind } from "#server/model/definitions/contract.ts";
import { canonicalLanguage } from "#server/model/kernel/languages.ts";
import { addressOf, oneOf, type Scope, type StateOf, textUpTo } from "../../client/address.ts";
import { isKind } from "../kinds/index.ts";

/** Filter state of the table in its URL: `?q=coffee&kind=missions&missing=1&add=fr`; `add` are languages without texts. */
export const TEXTS = addressOf({
  q: textUpTo(200),
  kind: (text): Kind | null => (isKind(text) ? text : null),
  missing: oneOf(["1"]),
  add: textUpTo(200),
});

export type TextsView = StateOf<typeof TEXTS>;

const MAX_ADDED = 5;

export const addedIn = ({ add }: TextsView): string[] =>
  (add ?? "")
    .split(",")
    .map(canonicalLanguage)
    .filter((tag) => tag !== null)
    .slice(0, MAX_ADDED);

/** The query of the export; `languages` are the table's columns. */
export const fileQuery = ({ q, kind, missing }: TextsView, languages: readonly string[]): Record<string, string> => ({
  ...(kind === null ? {} : { kind }),
  search: q ?? "",
  missing: String(missing !== null),
  languages: languages.join(","),
});

export const PAGE_SIZE = 50;

export const textsInput = (scope: Scope, { q, kind, missing }: TextsView, languages: readonly string[], cursor: string | null) => ({
  ...scope,
  kind,
  search: q ?? "",
  missing: missing !== null,
  languages: [...languages],
  cursor,
  limit: PAGE_SIZE,
});

export const languagesShown = (known: readonly string[], added: readonly string[]): string[] => [
  ...known,
  ...added.filter((tag) => !known.some((one) => one.toLowerCase() === tag.toLowerCase())),
];
