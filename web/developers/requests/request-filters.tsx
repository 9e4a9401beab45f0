"use client";

import { ClearFilters, FilterField, FilterGrid, FilterTimes } from "../../components/filters.tsx";
import { isFiltered, type RequestFilter, requestFilterFrom } from "../events/filters.ts";

interface Props {
  filter: RequestFilter;
  onFilterChange(filter: RequestFilter): void;
  keys: readonly { id: string; name: string; hint: string }[];
  routes: readonly { method: string; route: string }[];
  codes: readonly string[];
}

const STATUSES = [
  { value: "success", label: "Succeeded" },
  { value: "refused", label: "With refused items" },
  { value: "4xx", label: "4xx: refused" },
  { value: "5xx", label: "5xx: our fault" },
];

const asOption = (value: string) => ({ value, label: value });

/** Filters by endpoint, status, code, key and time. */
export function RequestFilters({ filter, onFilterChange, keys, routes, codes }: Props) {
  const set = (change: Partial<RequestFilter>) => onFilterChange({ ...filter, ...change });
  const endpoints = [...new Set(routes.map(({ method, route }) => `${method} ${route}`))];
  return (
    <FilterGrid>
      <FilterField
        label="Endpoint"
        all="All endpoints"
        value={filter.endpoint}
        onValueChange={(endpoint) => set({ endpoint })}
        options={endpoints.map(asOption)}
      />
      <FilterField
        label="Status"
        all="All statuses"
        value={filter.status}
        onValueChange={(status) => set({ status: status as RequestFilter["status"] })}
        options={STATUSES}
      />
      <FilterField
        label="Error code"
        all="All codes"
        value={filter.code}
        onValueChange={(code) => set({ code })}
        options={codes.map(asOption)}
      />
      <FilterField
        label="API key"
        all="All keys"
        value={filter.keyId}
        onValueChange={(keyId) => set({ keyId })}
        options={keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))}
      />
      <FilterTimes from={filter.from} until={filter.until} onChange={set} />
      <ClearFilters
        className="self-end justify-self-start"
        isFiltered={isFiltered(filter)}
        onClear={() => onFilterChange(requestFilterFrom({}))}
      />
    </FilterGrid>
  );
}
