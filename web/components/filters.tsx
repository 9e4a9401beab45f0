import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { Address } from "../client/address.ts";
import { Button } from "./button.tsx";
import { Checkbox } from "./toggle.tsx";
import { cx } from "./classes.ts";
import { Field } from "./inputs.tsx";
import { InstantInput } from "./instant-input.tsx";
import { Select } from "./select.tsx";
import { SearchInput } from "./table-toolbar.tsx";

/** Stands for no filter: for a select, "" means no selection. */
const ALL = "*";

interface Choices {
  /** Placeholder: "All keys". */
  all: string;
  options: readonly { value: string; label: string }[];
}

interface FilterSelectProps extends Choices {
  /** Left out if there is a label above it. */
  label?: string;
  /** Null: all. A value from the address without an option is still shown, and can be cleared. */
  value: string | null;
  onValueChange(value: string | null): void;
  className?: string;
}

/** A filter select, labelled by its placeholder. */
export const FilterSelect = ({ label, all, options, value, onValueChange, className }: FilterSelectProps) => (
  <Select
    aria-label={label}
    className={className}
    value={value ?? ALL}
    onValueChange={(chosen) => onValueChange(chosen === ALL ? null : chosen)}
    options={[
      { value: ALL, label: all },
      ...options,
      ...(value === null || options.some((option) => option.value === value) ? [] : [{ value, label: value }]),
    ]}
  />
);

export interface FiltersProps<State> {
  address: Address<State>;
  filter: State;
  onFilterChange(change: Partial<State>): void;
  /** By the parameter's name: selects, or a search whose input has that name. */
  fields: Readonly<Record<string, { label: string } & (Choices | { search: string })>>;
  /** Parameters that are "yes" or left out, below the fields. */
  checks?: Readonly<Record<string, { label: string; hint: string }>>;
  /** Beside the button that clears the filters. */
  children?: ReactNode;
  className?: string;
}

/** A list's filters, the last two by time, in columns above it. */
export function Filters<State>({ address, filter, onFilterChange, fields, checks = {}, children, className }: FiltersProps<State>) {
  const values = filter as Record<string, string | null>;
  const set = (name: string) => (value: string | null) => onFilterChange({ [name]: value || null } as Partial<State>);
  return (
    <div className={cx("grid grid-cols-2 gap-3 border-b border-line p-3 lg:grid-cols-4", className)}>
      {Object.entries(fields).map(([name, { label, ...field }]) => (
        <Field key={name} label={label}>
          {"search" in field ? (
            <SearchInput value={values[name] ?? ""} onValueChange={set(name)} label={field.search} className="w-full" />
          ) : (
            <FilterSelect {...field} value={values[name] ?? null} onValueChange={set(name)} />
          )}
        </Field>
      ))}
      <Field label="From" className="max-sm:col-span-full">
        <InstantInput value={values["from"] ?? null} onValueChange={set("from")} />
      </Field>
      <Field label="Until" className="max-sm:col-span-full">
        <InstantInput value={values["until"] ?? null} onValueChange={set("until")} />
      </Field>
      <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {Object.entries(checks).map(([name, words]) => (
          <Checkbox key={name} {...words} checked={values[name] === "yes"} onCheckedChange={(isOn) => set(name)(isOn ? "yes" : null)} />
        ))}
        {children}
        <ClearFilters isFiltered={address.isFiltered(filter)} onClear={() => onFilterChange(address.none)} />
      </div>
    </div>
  );
}

/** Clears all filters; hidden when none is set. */
export const ClearFilters = ({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) =>
  isFiltered && (
    <Button size="sm" icon={<X />} onClick={onClear}>
      Clear filters
    </Button>
  );
