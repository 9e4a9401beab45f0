"use client";

import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { onceOpen } from "../../components/overlay.tsx";
import { useShortcut } from "../../components/shortcut.ts";
import { Kbd } from "../../components/surface.tsx";

/** The dialog, the index and the search library are loaded on first opening. */
const SearchDialog = onceOpen(() => import("./search-dialog.tsx").then((loaded) => loaded.SearchDialog));

/** Opens the search, like the keys / and Ctrl K. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const shortcut = useShortcut();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onPointerEnter={SearchDialog.preload}
        onFocus={SearchDialog.preload}
        onClick={() => setOpen(true)}
        className="flex h-9 items-center gap-2 rounded-lg border-line px-2.5 text-quiet hover:bg-raised hover:text-ink sm:w-56 sm:border"
      >
        <Search aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Search</span>
        <span aria-hidden className="ml-auto max-sm:hidden">
          <Kbd>{shortcut}</Kbd>
        </span>
      </button>
      <SearchDialog open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

/** Ctrl K or ⌘K anywhere; a slash outside of text fields. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === "k") return (ctrlKey || metaKey) && !altKey && !shiftKey;
  const isTyping = target instanceof HTMLElement && (target.isContentEditable || /^(input|select|textarea)$/i.test(target.tagName));
  return key === "/" && !ctrlKey && !metaKey && !altKey && !isTyping;
}
