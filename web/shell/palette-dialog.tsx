"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useDeferredValue, useMemo, useState } from "react";
import { FoundItem, SearchPopup, type SearchPopupProps } from "../components/search-popup.tsx";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { paletteGroups, SHOWN } from "./palette-entries.ts";
import { type PaletteEntry, type PaletteGroup, rankedGroups } from "./palette-search.ts";

/** The command palette: searches screens, definitions and players. */
export function PaletteDialog(popup: SearchPopupProps) {
  const router = useRouter();
  const [text, setText] = useState("");
  const query = text.trim();
  const groups = useGroups(query);
  const go = ({ href }: PaletteEntry) => {
    popup.setOpen(false);
    setText("");
    router.push(href);
  };
  return (
    <SearchPopup
      {...popup}
      label="Search or jump to"
      placeholder="Search definitions, players and pages…"
      text={text}
      setText={setText}
      items={groups}
      className="max-w-xl"
    >
      <div className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Autocomplete.Empty>
          <div className="px-3 py-6 text-center text-quiet wrap-anywhere">No results in this environment for “{query}”.</div>
        </Autocomplete.Empty>
        <Autocomplete.List aria-label="Results">
          {(group: PaletteGroup) => <Group key={group.heading} group={group} onChoose={go} />}
        </Autocomplete.List>
      </div>
    </SearchPopup>
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
        <FoundItem
          key={entry.href}
          value={entry}
          onClick={() => onChoose(entry)}
          className="flex h-9 items-center gap-2.5 px-2.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet"
        >
          <entry.icon aria-hidden />
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          {entry.aside && <span className="max-w-[40%] truncate text-xs text-faint">{entry.aside}</span>}
        </FoundItem>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
);
