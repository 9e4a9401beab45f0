"use client";

import { useQuery } from "@tanstack/react-query";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Checkbox } from "../components/choice.tsx";
import { Field } from "../components/field.tsx";
import { ClearFilters, FilterField, FilterGrid, FilterTimes } from "../components/filters.tsx";
import { SearchInput } from "../components/table-toolbar.tsx";
import { EVERYTHING, isPurchaseFilter, type PurchaseFilter, STATUSES } from "./purchase-filter.ts";
import { HANDING_OVER_WORDS } from "./words.ts";

interface Props {
  filter: PurchaseFilter;
  onFilterChange(filter: PurchaseFilter): void;
}

/** Filters by listing, player, status, delivery and time, and by possible double charges. */
export function PurchaseFilters({ filter, onFilterChange }: Props) {
  const { scope } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const set = (change: Partial<PurchaseFilter>) => onFilterChange({ ...filter, ...change });
  return (
    <FilterGrid className="2xl:grid-cols-[1fr_1fr_9rem_11rem_13.5rem_13.5rem]">
      <FilterField
        label="Listing"
        all="All listings"
        value={filter.listing}
        onValueChange={(listing) => set({ listing })}
        options={data?.marketplaceItems.map(({ key, name }) => ({ value: key, label: name })) ?? []}
      />
      <Field label="Player">
        <SearchInput
          value={filter.player ?? ""}
          onValueChange={(text) => set({ player: text === "" ? null : text })}
          label="Player ID"
          className="w-full"
        />
      </Field>
      <FilterField
        label="Status"
        all="All"
        value={filter.status}
        onValueChange={(status) => set({ status: status as PurchaseFilter["status"] })}
        options={STATUSES.map((status) => ({ value: status, label: status }))}
      />
      <FilterField
        label="Fulfillment"
        all="All"
        value={filter.handingOver}
        onValueChange={(handingOver) => set({ handingOver: handingOver as PurchaseFilter["handingOver"] })}
        options={Object.entries(HANDING_OVER_WORDS).map(([value, label]) => ({ value, label }))}
      />
      <FilterTimes from={filter.from} until={filter.until} onChange={set} />
      <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2">
        <Checkbox
          checked={filter.isRepeated}
          onCheckedChange={(isRepeated) => set({ isRepeated })}
          label="Charged twice?"
          hint="The same player bought the same listing again within 10 minutes"
        />
        <ClearFilters isFiltered={isPurchaseFilter(filter)} onClear={() => onFilterChange(EVERYTHING)} />
      </div>
    </FilterGrid>
  );
}
