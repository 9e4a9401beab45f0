"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Kbd } from "../../_components/surface.tsx";
import { type Found, searchIn } from "./search-in.ts";
import type { SearchSection } from "./sections.ts";
import type { Stretch } from "./snippet.ts";

interface SearchDialogProps {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  finalFocus(): HTMLElement | boolean;
}

/** Finds sections of the documentation, and goes there. */
export function SearchDialog({ isOpen, setOpen, finalFocus }: SearchDialogProps) {
  const [query, setQuery] = useState("");
  const { search, hasFailed } = useSearch(isOpen);
  const found = useMemo(() => search?.(query) ?? [], [search, query]);
  const go = ({ href }: Found) => {
    setOpen(false);
    // A page that is loaded marks what its address points to (:target); one that the router swaps in does not.
    location.assign(href);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_18/0.35)]" />
        <Dialog.Popup
          finalFocus={finalFocus}
          aria-label="Search the documentation"
          className="fixed top-[max(1rem,10vh)] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-2xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-overlay shadow-overlay outline-none"
        >
          {/* The index ranks what fits: the component filters nothing. */}
          <Autocomplete.Root
            open
            inline
            autoHighlight="always"
            keepHighlight
            items={found}
            filter={null}
            value={query}
            onValueChange={setQuery}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-quiet" aria-hidden />
              <Autocomplete.Input
                autoFocus
                aria-label="Search the documentation"
                placeholder="Search guides, endpoints, webhooks and error codes…"
                className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
              />
              <span className="max-sm:hidden">
                <Kbd>Esc</Kbd>
              </span>
            </div>
            <Autocomplete.Empty>
              <div className="px-4.5 py-7.5 text-center text-quiet wrap-anywhere">{emptyText(query, search !== null, hasFailed)}</div>
            </Autocomplete.Empty>
            {/* The list itself scrolls, as the input's keys move in it. */}
            <Autocomplete.List aria-label="Results" className="max-h-[min(30rem,65vh)] overflow-y-auto p-1.5 empty:hidden">
              {(result: Found) => <Result key={result.href} result={result} onChoose={go} />}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function emptyText(query: string, isLoaded: boolean, hasFailed: boolean): string {
  if (hasFailed) return "Search could not be loaded. Close this and try again.";
  if (query.trim() === "") return "Type a word, an endpoint or an error code.";
  return isLoaded ? `No results for “${query.trim()}”.` : "Loading…";
}

/** The index is loaded when the dialog is first opened, and kept. Where that fails it is tried again at the next opening. */
function useSearch(isOpen: boolean) {
  const [search, setSearch] = useState<((query: string) => Found[]) | null>(null);
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

const Result = ({ result, onChoose }: { result: Found; onChoose(result: Found): void }) => (
  <Autocomplete.Item
    value={result}
    onClick={() => onChoose(result)}
    // Nothing is ever selected here; the option that Enter takes is told as the selected one.
    render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
    className="cursor-default rounded-lg px-3 py-2 text-sm select-none data-highlighted:bg-veil"
  >
    <div className="flex items-baseline gap-2">
      <span className="min-w-0 font-medium wrap-anywhere">
        <Marked stretches={result.title} />
      </span>
      <span className="ml-auto shrink-0 text-xs text-faint">{result.page}</span>
    </div>
    <div className="mt-0.5 line-clamp-2 text-[0.8125rem] text-quiet wrap-anywhere">
      <Marked stretches={result.snippet} />
    </div>
  </Autocomplete.Item>
);

const Marked = ({ stretches }: { stretches: readonly Stretch[] }) =>
  stretches.map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className="rounded-sm bg-mark text-ink">
        {text}
      </mark>
    ) : (
      text
    ),
  );
