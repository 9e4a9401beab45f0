import MiniSearch from "minisearch";
import type { SearchSection } from "./sections.ts";
import { marked, snippetOf, type Stretch } from "./snippet.ts";
import { stemOf } from "./stem.ts";

export interface Found {
  href: string;
  page: string;
  title: readonly Stretch[];
  snippet: readonly Stretch[];
}

/** As many as are worth reading through. */
const SHOWN = 12;

/** A page itself comes before a part of it, and what explains a word before the errors that have it in their text. */
const weightOf = (href: string): number => {
  if (!href.includes("#")) return 1.5;
  return href.startsWith("/docs/errors") ? 0.6 : 1;
};

/** Makes the sections searchable; what is found comes best first. */
export function searchIn(sections: readonly SearchSection[]): (query: string) => Found[] {
  const index = new MiniSearch<SearchSection>({
    fields: ["title", "page", "text"],
    storeFields: ["page", "title", "text"],
    searchOptions: {
      boost: { title: 4, page: 2 },
      // The word that is being typed; also one whose end the stem has lost.
      prefix: true,
      boostDocument: (id) => weightOf(String(id)),
      // A mistyped letter is forgiven in words that are long enough to tell, and two that changed places in longer ones.
      fuzzy: (word) => (word.length > 4 ? 0.25 : false),
      combineWith: "AND",
    },
    processTerm: (term) => stemOf(term),
  });
  index.addAll(sections);
  return (query) =>
    index
      .search(query)
      .slice(0, SHOWN)
      .map(({ id, terms, page, title, text }) => ({
        href: id as string,
        page: page as string,
        title: marked(title as string, terms),
        snippet: snippetOf(text as string, terms),
      }));
}
