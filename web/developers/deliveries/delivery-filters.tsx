"use client";

import { Field } from "../../components/field.tsx";
import { ClearFilters, FilterField, FilterGrid, FilterTimes } from "../../components/filters.tsx";
import { SearchInput } from "../../components/table-toolbar.tsx";
import { type DeliveryFilter, EVERYTHING, isDeliveryFilter, STATUSES } from "./delivery-filter.ts";

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onFilterChange(filter: DeliveryFilter): void;
  endpoints: { id: string; url: string }[];
  events: { event: string }[];
}

/** Filters by status, event, endpoint, player and time. */
export function DeliveryFilters({ filter, onFilterChange, endpoints, events }: DeliveryFiltersProps) {
  const set = (change: Partial<DeliveryFilter>) => onFilterChange({ ...filter, ...change });
  return (
    <FilterGrid className="2xl:grid-cols-[9rem_1fr_1fr_1fr_13.5rem_13.5rem]">
      <FilterField
        label="Status"
        all="All"
        value={filter.status}
        onValueChange={(status) => set({ status: status as DeliveryFilter["status"] })}
        options={STATUSES.map((value) => ({ value, label: value }))}
      />
      <FilterField
        label="Event"
        all="All events"
        value={filter.event}
        onValueChange={(event) => set({ event })}
        options={events.map(({ event }) => ({ value: event, label: event }))}
      />
      <FilterField
        label="Endpoint"
        all="All endpoints"
        value={filter.endpoint}
        onValueChange={(endpoint) => set({ endpoint })}
        options={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
      />
      <Field label="Player">
        <SearchInput
          value={filter.player ?? ""}
          onValueChange={(player) => set({ player: player === "" ? null : player })}
          label="Player ID"
          className="w-full"
        />
      </Field>
      <FilterTimes from={filter.from} until={filter.until} onChange={set} />
      <ClearFilters
        className="col-span-full justify-self-start"
        isFiltered={isDeliveryFilter(filter)}
        onClear={() => onFilterChange(EVERYTHING)}
      />
    </FilterGrid>
  );
}
