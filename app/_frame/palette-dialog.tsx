"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useMemo, useState } from "react";
import { Kbd } from "../_components/surface.tsx";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { paletteGroups, SHOWN } from "./palette-entries.ts";
import { type PaletteEntry, type PaletteGroup, rankedGroups } from "./palette-search.ts";

interface PaletteDialogProps {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  finalFocus(): HTMLElement | boolean;
}

/** Finds screens, definitions and players by a few letters, and goes there. */
export function PaletteDialog({ isOpen, setOpen, finalFocus }: PaletteDialogProps) {
  const router = useRouter();
  const [text, setText] = useState("");
  const query = text.trim();
  const groups = useGroups(query);
  const go = ({ href }: PaletteEntry) => {
    setOpen(false);
    setText("");
    router.push(href);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_18/0.35)]" />
        <Dialog.Popup
          finalFocus={finalFocus}
          aria-label="Search or jump to"
          className="fixed top-[max(1rem,10vh)] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-overlay shadow-overlay outline-none"
        >
          {/* What fits is ranked here already: the component filters nothing. */}
          <Autocomplete.Root
            open
            inline
            autoHighlight="always"
            keepHighlight
            items={groups}
            filter={null}
            value={text}
            onValueChange={setText}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-quiet" aria-hidden />
              <Autocomplete.Input
                autoFocus
                aria-label="Search or jump to"
                placeholder="Search definitions, players and pages…"
                className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
              />
              <span className="max-sm:hidden">
                <Kbd>Esc</Kbd>
              </span>
            </div>
            <div className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
              <Autocomplete.Empty>
                <div className="px-3 py-6 text-center text-quiet wrap-anywhere">No results in this environment for “{query}”.</div>
              </Autocomplete.Empty>
              <Autocomplete.List aria-label="Results">
                {(group: PaletteGroup) => <Group key={group.heading} group={group} onChoose={go} />}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useGroups(query: string): PaletteGroup[] {
  const { scope, project, environment, can } = useWhere();
  const canCreate = can("Editor");
  const { data: catalogue } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const search = useDeferredValue(query);
  const { data: found } = useQuery({
    ...orpc.players.search.queryOptions({ input: { ...scope, query: search, limit: SHOWN } }),
    enabled: search !== "",
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => rankedGroups(paletteGroups({ project, environment, canCreate, query, catalogue, players: found?.players ?? [] }), query),
    [project, environment, canCreate, query, catalogue, found],
  );
}

const Group = ({ group: { heading, items }, onChoose }: { group: PaletteGroup; onChoose(entry: PaletteEntry): void }) => (
  <Autocomplete.Group items={items}>
    <Autocomplete.GroupLabel className="px-2.5 py-1.5 text-xs text-faint">{heading}</Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(entry: PaletteEntry) => (
        <Autocomplete.Item
          key={entry.href}
          value={entry}
          onClick={() => onChoose(entry)}
          // Nothing is ever selected here; the option that Enter takes is told as the selected one.
          render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
          className="flex h-9 cursor-default items-center gap-2.5 rounded-lg px-2.5 text-sm select-none data-highlighted:bg-veil [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet"
        >
          <entry.icon aria-hidden />
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          {entry.aside && <span className="max-w-[40%] truncate text-xs text-faint">{entry.aside}</span>}
        </Autocomplete.Item>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
);
