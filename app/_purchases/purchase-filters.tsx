"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Checkbox } from "../_components/choice.tsx";
import { Field } from "../_components/field.tsx";
import { InstantInput } from "../_components/instant-input.tsx";
import { Select } from "../_components/select.tsx";
import { SearchInput } from "../_components/table-toolbar.tsx";
import { ALL, choices, chosenOf } from "../_debugger/choices.ts";
import { EVERYTHING, isPurchaseFilter, type PurchaseFilter, STATUSES } from "./purchase-filter.ts";
import { HANDING_OVER_WORDS } from "./words.ts";

interface Props {
  filter: PurchaseFilter;
  onFilterChange(filter: PurchaseFilter): void;
}

/** By listing, player, status, delivery and time; and what may have been charged twice. */
export function PurchaseFilters({ filter, onFilterChange }: Props) {
  const { scope, timeZone } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const set = (change: Partial<PurchaseFilter>) => onFilterChange({ ...filter, ...change });
  const listings = data?.marketplaceItems.map(({ key, name }) => ({ value: key, label: name })) ?? [];
  return (
    <div className="grid grid-cols-2 gap-3 border-b border-line p-3 lg:grid-cols-4 2xl:grid-cols-[1fr_1fr_9rem_11rem_13.5rem_13.5rem]">
      <Field label="Listing">
        <Select
          value={filter.listing ?? ALL}
          onValueChange={(value) => set({ listing: chosenOf(value) })}
          options={choices("All listings", listings, filter.listing)}
        />
      </Field>
      <Field label="Player">
        <SearchInput
          value={filter.player ?? ""}
          onValueChange={(text) => set({ player: text === "" ? null : text })}
          label="Player ID"
          className="w-full"
        />
      </Field>
      <Field label="Status">
        <Select
          value={filter.status ?? ALL}
          onValueChange={(value) => set({ status: chosenOf(value) as PurchaseFilter["status"] })}
          options={choices(
            "All",
            STATUSES.map((status) => ({ value: status, label: status })),
            filter.status,
          )}
        />
      </Field>
      <Field label="Fulfilment">
        <Select
          value={filter.handingOver ?? ALL}
          onValueChange={(value) => set({ handingOver: chosenOf(value) as PurchaseFilter["handingOver"] })}
          options={choices(
            "All",
            Object.entries(HANDING_OVER_WORDS).map(([value, label]) => ({ value, label })),
            filter.handingOver,
          )}
        />
      </Field>
      <Field label="From" className="max-sm:col-span-full">
        <InstantInput value={filter.from} onValueChange={(from) => set({ from })} timeZone={timeZone} />
      </Field>
      <Field label="Until" className="max-sm:col-span-full">
        <InstantInput value={filter.until} onValueChange={(until) => set({ until })} timeZone={timeZone} />
      </Field>
      <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2">
        <Checkbox
          checked={filter.isRepeated}
          onCheckedChange={(isRepeated) => set({ isRepeated })}
          label="Charged twice?"
          hint="The same player bought the same listing again within 10 minutes"
        />
        {isPurchaseFilter(filter) && (
          <Button size="sm" icon={<X aria-hidden />} onClick={() => onFilterChange(EVERYTHING)}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}
