import MiniSearch from "minisearch";
import type { SearchSection } from "./sections.ts";
import { marked, snippetOf, stemOf, type SnippetPart } from "./words.ts";

export interface SearchHit {
  href: string;
  page: string;
  title: readonly SnippetPart[];
  snippet: readonly SnippetPart[];
}

/** Maximum results. */
const SHOWN = 12;

/** Pages rank above their sections, and explanations above errors that mention the word. */
const weightOf = (href: string): number => {
  if (!href.includes("#")) return 1.5;
  return href.startsWith("/docs/errors") ? 0.6 : 1;
};

/** Indexes the sections; results are sorted by relevance. */
export function searchIn(sections: readonly SearchSection[]): (query: string) => SearchHit[] {
  const index = new MiniSearch<SearchSection>({
    fields: ["title", "page", "text"],
    storeFields: ["page", "title", "text"],
    searchOptions: {
      boost: { title: 4, page: 2 },
      // Prefix match for the word being typed, also where its ending was stemmed.
      prefix: true,
      boostDocument: (id) => weightOf(String(id)),
      // One typo is tolerated in longer words, and a transposition in even longer ones.
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
