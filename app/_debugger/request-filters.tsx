"use client";

import { X } from "lucide-react";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Field } from "../_components/field.tsx";
import { InstantInput } from "../_components/instant-input.tsx";
import { Select } from "../_components/select.tsx";
import { ALL, choices, chosenOf } from "./choices.ts";
import { isFiltered, type RequestFilter, requestFilterFrom } from "./filters.ts";

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

/** By endpoint, status, code, key and time. */
export function RequestFilters({ filter, onFilterChange, keys, routes, codes }: Props) {
  const { timeZone } = useWhere();
  const set = (name: keyof RequestFilter) => (value: string | null) =>
    onFilterChange({ ...filter, [name]: value === null ? null : chosenOf(value) });
  const endpoints = [...new Set(routes.map(({ method, route }) => `${method} ${route}`))];
  return (
    <div className="grid grid-cols-2 gap-3 border-b border-line p-3 lg:grid-cols-4">
      <Field label="Endpoint">
        <Select
          value={filter.endpoint ?? ALL}
          onValueChange={set("endpoint")}
          options={choices(
            "All endpoints",
            endpoints.map((value) => ({ value, label: value })),
            filter.endpoint,
          )}
        />
      </Field>
      <Field label="Status">
        <Select value={filter.status ?? ALL} onValueChange={set("status")} options={choices("All statuses", STATUSES, null)} />
      </Field>
      <Field label="Error code">
        <Select
          value={filter.code ?? ALL}
          onValueChange={set("code")}
          options={choices(
            "All codes",
            codes.map((value) => ({ value, label: value })),
            filter.code,
          )}
        />
      </Field>
      <Field label="API key">
        <Select
          value={filter.keyId ?? ALL}
          onValueChange={set("keyId")}
          options={choices(
            "All keys",
            keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` })),
            filter.keyId,
          )}
        />
      </Field>
      <Field label="From" className="max-sm:col-span-full">
        <InstantInput value={filter.from} onValueChange={set("from")} timeZone={timeZone} />
      </Field>
      <Field label="Until" className="max-sm:col-span-full">
        <InstantInput value={filter.until} onValueChange={set("until")} timeZone={timeZone} />
      </Field>
      {isFiltered(filter) && (
        <Button
          size="sm"
          className="self-end justify-self-start"
          icon={<X aria-hidden />}
          onClick={() => onFilterChange(requestFilterFrom({}))}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}
