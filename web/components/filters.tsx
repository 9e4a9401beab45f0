"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useWhere } from "../client/where.tsx";
import { Button } from "./button.tsx";
import { cx } from "./classes.ts";
import { Field } from "./field.tsx";
import { InstantInput } from "./instant-input.tsx";
import { Select } from "./select.tsx";

/** Stands for no filter: for a select, "" means no selection. */
const ALL = "*";

interface ChoiceProps {
  /** Left out where a label stands above it. */
  label?: string;
  /** Placeholder: "All keys". */
  all: string;
  options: readonly { value: string; label: string }[];
  /** Null: all. A value from the address without an option is still shown, and can be cleared. */
  value: string | null;
  onValueChange(value: string | null): void;
  className?: string;
}

/** A filter select, labelled by its placeholder. */
export const FilterSelect = ({ label, all, options, value, onValueChange, className }: ChoiceProps) => (
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

/** A filter select with a label above. */
export const FilterField = ({ label, ...props }: Omit<ChoiceProps, "className"> & { label: string }) => (
  <Field label={label}>
    <FilterSelect {...props} />
  </Field>
);

interface TimesProps {
  from: string | null;
  until: string | null;
  onChange(change: { from: string | null } | { until: string | null }): void;
}

export function FilterTimes({ from, until, onChange }: TimesProps) {
  const { timeZone } = useWhere();
  return (
    <>
      <Field label="From" className="max-sm:col-span-full">
        <InstantInput value={from} onValueChange={(value) => onChange({ from: value || null })} timeZone={timeZone} />
      </Field>
      <Field label="Until" className="max-sm:col-span-full">
        <InstantInput value={until} onValueChange={(value) => onChange({ until: value || null })} timeZone={timeZone} />
      </Field>
    </>
  );
}

/** Filters in columns above a list. */
export const FilterGrid = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div className={cx("grid grid-cols-2 gap-3 border-b border-line p-3 lg:grid-cols-4", className)}>{children}</div>
);

/** Clears all filters; hidden when none is set. */
export const ClearFilters = ({ isFiltered, onClear, className }: { isFiltered: boolean; onClear(): void; className?: string }) =>
  isFiltered && (
    <Button size="sm" className={className} icon={<X aria-hidden />} onClick={onClear}>
      Clear filters
    </Button>
  );
