import { Autocomplete } from "@base-ui/react/autocomplete";
import { useEffect, useMemo, useState } from "react";
import type { Openable } from "../../components/overlay.tsx";
import { FoundItem, SearchPopup } from "../../components/search-popup.tsx";
import { type SearchHit, searchIn } from "./search-in.ts";
import type { SearchSection } from "./sections.ts";
import type { SnippetPart } from "./words.ts";

/** Searches the documentation's sections. */
export function SearchDialog(opened: Openable) {
  const [query, setQuery] = useState("");
  const { search, hasFailed } = useSearch(opened.open);
  const found = useMemo(() => search?.(query) ?? [], [search, query]);
  const go = ({ href }: SearchHit) => {
    opened.onOpenChange(false);
    // Only a full page load applies :target; client navigation does not.
    location.assign(href);
  };
  return (
    <SearchPopup
      {...opened}
      label="Search the documentation"
      placeholder="Search guides, endpoints, webhooks and error codes…"
      text={query}
      setText={setQuery}
      items={found}
      className="max-w-2xl"
    >
      <Autocomplete.Empty>
        <div className="px-4.5 py-7.5 text-center text-quiet wrap-anywhere">{emptyText(query, search !== null, hasFailed)}</div>
      </Autocomplete.Empty>
      {/* The list itself scrolls, driven by the input's arrow keys. */}
      <Autocomplete.List aria-label="Results" className="max-h-[min(30rem,65vh)] overflow-y-auto p-1.5 empty:hidden">
        {(result: SearchHit) => <Result key={result.href} result={result} onChoose={go} />}
      </Autocomplete.List>
    </SearchPopup>
  );
}

function emptyText(query: string, isLoaded: boolean, hasFailed: boolean): string {
  if (hasFailed) return "Search could not be loaded. Close this and try again.";
  if (query.trim() === "") return "Type a word, an endpoint or an error code.";
  return isLoaded ? `No results for “${query.trim()}”.` : "Loading…";
}

/** The index is loaded on first opening and kept. After a failure the next opening retries. */
function useSearch(isOpen: boolean) {
  const [search, setSearch] = useState<((query: string) => SearchHit[]) | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const isNeeded = isOpen && search === null;
  useEffect(() => {
    if (!isNeeded) return;
    let isLeft = false;
    setFailed(false);
    const load = async () => {
      const answer = await fetch("/docs/search.json");
      if (!answer.ok) throw new Error(answer.statusText);
      const searchSections = searchIn((await answer.json()) as SearchSection[]);
      if (!isLeft) setSearch(() => searchSections);
    };
    load().catch(() => !isLeft && setFailed(true));
    return () => {
      isLeft = true;
    };
  }, [isNeeded]);
  return { search, hasFailed };
}

const Result = ({ result, onChoose }: { result: SearchHit; onChoose(result: SearchHit): void }) => (
  <FoundItem value={result} onClick={() => onChoose(result)} className="px-3 py-2">
    <div className="flex items-baseline gap-2">
      <span className="min-w-0 font-medium wrap-anywhere">
        <Marked stretches={result.title} />
      </span>
      <span className="ml-auto shrink-0 text-xs text-faint">{result.page}</span>
    </div>
    <div className="mt-0.5 line-clamp-2 text-[0.8125rem] text-quiet wrap-anywhere">
      <Marked stretches={result.snippet} />
    </div>
  </FoundItem>
);

const Marked = ({ stretches }: { stretches: readonly SnippetPart[] }) =>
  stretches.map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className="rounded-sm bg-mark text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
