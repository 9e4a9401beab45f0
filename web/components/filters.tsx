import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { Address } from "../client/address.ts";
import { Button } from "./button.tsx";
import { cx } from "./classes.ts";
import { InstantInput, Select } from "./lazy-controls.tsx";
import { SearchInput } from "./table-toolbar.tsx";

/** Stands for no filter: for a select, "" means no selection. */
const ALL = "*";

interface Choices {
  /** Placeholder: "All keys". */
  all: string;
  options: readonly { value: string; label: string }[];
}

interface FilterSelectProps extends Choices {
  label: string;
  /** Null: all. A value from the address without an option is still shown, and can be cleared. */
  value: string | null;
  onValueChange(value: string | null): void;
  className?: string;
}

export const FilterSelect = ({ label, all, options, value, onValueChange, className }: FilterSelectProps) => (
  <div className={className}>
    <Select
      aria-label={label}
      value={value ?? ALL}
      onValueChange={(chosen) => onValueChange(chosen === ALL ? null : chosen)}
      options={[
        { value: ALL, label: all },
        ...options,
        ...(value === null || options.some((option) => option.value === value) ? [] : [{ value, label: value }]),
      ]}
    />
  </div>
);

interface FiltersProps<State> {
  address: Address<State>;
  filter: State;
  onFilterChange(change: Partial<State>): void;
  /** By the parameter's name: selects, or a search whose input has that name. */
  fields: Readonly<Record<string, { label: string } & (Choices | { search: string })>>;
  /** Beside the button that clears the filters. */
  children?: ReactNode;
  className?: string;
}

/** A list's filters, the last two by time, in columns above it. */
export function Filters<State>({ address, filter, onFilterChange, fields, children, className }: FiltersProps<State>) {
  const values = filter as Record<string, string | null>;
  const set = (name: string) => (value: string | null) => onFilterChange({ [name]: value || null } as Partial<State>);
  return (
    <div className={cx("grid grid-cols-2 gap-3 border-b border-line p-3 lg:grid-cols-4", className)}>
      {Object.entries(fields).map(([name, { label, ...field }]) => (
        <Labelled key={name} label={label}>
          {"search" in field ? (
            <SearchInput value={values[name] ?? ""} onValueChange={set(name)} label={field.search} className="w-full" />
          ) : (
            <FilterSelect {...field} label={label} value={values[name] ?? null} onValueChange={set(name)} />
          )}
        </Labelled>
      ))}
      <Labelled label="From" className="max-sm:col-span-full">
        <InstantInput aria-label="From" value={values["from"] ?? null} onValueChange={set("from")} />
      </Labelled>
      <Labelled label="Until" className="max-sm:col-span-full">
        <InstantInput aria-label="Until" value={values["until"] ?? null} onValueChange={set("until")} />
      </Labelled>
      <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {children}
        <ClearFilters isFiltered={address.isFiltered(filter)} onClear={() => onFilterChange(address.none)} />
      </div>
    </div>
  );
}

/** A native label: Base UI's field would be 10 kB more of a list page's JavaScript. */
const Labelled = ({ label, className, children }: { label: string; className?: string; children: ReactNode }) => (
  <label className={cx("flex min-w-0 flex-col gap-1.5", className)}>
    <span className="text-[0.8125rem] font-medium text-ink">{label}</span>
    {children}
  </label>
);

/** Clears all filters; hidden when none is set. */
export const ClearFilters = ({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) =>
  isFiltered && (
    <Button size="sm" icon={<X />} onClick={onClear}>
      Clear filters
    </Button>
  );
