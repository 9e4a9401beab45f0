"use client";

import { X } from "lucide-react";
import { Button } from "../_components/button.tsx";
import { Segmented } from "../_components/choice.tsx";
import { Select } from "../_components/select.tsx";
import { SearchInput, TableToolbar } from "../_components/table-toolbar.tsx";
import { ALL, choices, chosenOf } from "./choices.ts";
import { type EventFilter, eventFilterFrom, isFiltered } from "./filters.ts";

interface Props {
  filter: EventFilter;
  onFilterChange(filter: EventFilter): void;
  events: readonly { key: string; name: string }[];
  keys: readonly { id: string; name: string; hint: string }[];
}

const OUTCOMES = [
  { value: ALL, label: "All" },
  { value: "Accepted", label: "Accepted" },
  { value: "Refused", label: "Refused" },
  { value: "Quarantined", label: "Quarantined" },
];

/** By player, event, key and outcome. */
export function EventFilters({ filter, onFilterChange, events, keys }: Props) {
  const set = (change: Partial<EventFilter>) => onFilterChange({ ...filter, ...change });
  return (
    <TableToolbar>
      <SearchInput value={filter.player ?? ""} onValueChange={(text) => set({ player: text === "" ? null : text })} label="Player ID" />
      <Select
        aria-label="Event"
        className="w-full sm:w-48"
        value={filter.event ?? ALL}
        onValueChange={(value) => set({ event: chosenOf(value) })}
        options={choices(
          "All events",
          events.map(({ key, name }) => ({ value: key, label: name })),
          filter.event,
        )}
      />
      <Select
        aria-label="API key"
        className="w-full sm:w-44"
        value={filter.keyId ?? ALL}
        onValueChange={(value) => set({ keyId: chosenOf(value) })}
        options={choices(
          "All keys",
          keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` })),
          filter.keyId,
        )}
      />
      <Segmented
        label="Outcome"
        value={filter.outcome ?? ALL}
        onValueChange={(value) => set({ outcome: chosenOf(value) as EventFilter["outcome"] })}
        options={OUTCOMES}
      />
      {isFiltered(filter) && (
        <Button size="sm" icon={<X aria-hidden />} onClick={() => onFilterChange(eventFilterFrom({}))}>
          Clear filters
        </Button>
      )}
    </TableToolbar>
  );
}
