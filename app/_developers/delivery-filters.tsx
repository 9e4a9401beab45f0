"use client";

import { X } from "lucide-react";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Field } from "../_components/field.tsx";
import { InstantInput } from "../_components/instant-input.tsx";
import { Select } from "../_components/select.tsx";
import { SearchInput } from "../_components/table-toolbar.tsx";
import { type DeliveryFilter, EVERYTHING, isDeliveryFilter, STATUSES } from "./delivery-filter.ts";

/** Stands for no filter: to a select, "" is nothing chosen. */
const ALL = "*";

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onFilterChange(filter: DeliveryFilter): void;
  endpoints: { id: string; url: string }[];
  events: { event: string }[];
}

export function DeliveryFilters({ filter, onFilterChange, endpoints, events }: DeliveryFiltersProps) {
  const { timeZone } = useWhere();
  const set = (name: keyof DeliveryFilter) => (value: string | null) =>
    onFilterChange({ ...filter, [name]: value === ALL || value === "" ? null : value });
  const choices = (all: string, values: { value: string; label: string }[]) => [{ value: ALL, label: all }, ...values];
  return (
    <div className="grid grid-cols-2 gap-3 border-b border-line p-3 lg:grid-cols-4 2xl:grid-cols-[9rem_1fr_1fr_1fr_13.5rem_13.5rem]">
      <Field label="Status">
        <Select
          value={filter.status ?? ALL}
          onValueChange={set("status")}
          options={choices(
            "All",
            STATUSES.map((status) => ({ value: status, label: status })),
          )}
        />
      </Field>
      <Field label="Event">
        <Select
          value={filter.event ?? ALL}
          onValueChange={set("event")}
          options={choices(
            "All events",
            events.map(({ event }) => ({ value: event, label: event })),
          )}
        />
      </Field>
      <Field label="Endpoint">
        <Select
          value={filter.endpoint ?? ALL}
          onValueChange={set("endpoint")}
          options={choices(
            "All endpoints",
            endpoints.map(({ id, url }) => ({ value: id, label: url })),
          )}
        />
      </Field>
      <Field label="Player">
        <SearchInput value={filter.player ?? ""} onValueChange={set("player")} label="Player ID" className="w-full" />
      </Field>
      <Field label="From" className="max-sm:col-span-full">
        <InstantInput value={filter.from} onValueChange={set("from")} timeZone={timeZone} />
      </Field>
      <Field label="Until" className="max-sm:col-span-full">
        <InstantInput value={filter.until} onValueChange={set("until")} timeZone={timeZone} />
      </Field>
      {isDeliveryFilter(filter) && (
        <Button size="sm" className="col-span-full justify-self-start" icon={<X aria-hidden />} onClick={() => onFilterChange(EVERYTHING)}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
