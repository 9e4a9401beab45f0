"use client";

import { useWhere } from "../../client/where.tsx";
import { Segmented } from "../../components/choice.tsx";
import { Select } from "../../components/select.tsx";
import { SearchInput, TableToolbar } from "../../components/table-toolbar.tsx";
import { formatted } from "#server/model/kernel/thousands.ts";
import type { Divergence } from "./chosen.ts";
import { directionFrom } from "./direction.ts";
import { kindTitle } from "./names.ts";
import type { Status, View } from "./view.ts";

interface FiltersProps {
  view: View;
  counts: Record<Status, number>;
  kinds: readonly Divergence["kind"][];
  onView(view: View): void;
}

/** Filters by text, kind and status. */
export function Filters({ view, counts, kinds, onView }: FiltersProps) {
  const { environment } = useWhere();
  const { to } = directionFrom(environment);
  const labels: [Status, string][] = [
    ["all", "All changes"],
    ["changed", "Changed"],
    ["new", "New"],
    ["off", `Only in ${to}`],
    ["same", "Same"],
  ];
  return (
    <TableToolbar>
      <SearchInput value={view.search} onValueChange={(search) => onView({ ...view, search })} label="Search definitions" />
      <div className="w-full sm:w-48">
        <Select
          aria-label="Kind"
          value={view.kind}
          onValueChange={(kind) => onView({ ...view, kind })}
          options={[
            { value: "all" as View["kind"], label: "All kinds" },
            ...kinds.map((kind) => ({ value: kind as View["kind"], label: kindTitle(kind) })),
          ]}
        />
      </div>
      <Segmented
        label="Status"
        value={view.status}
        onValueChange={(status) => onView({ ...view, status })}
        options={labels.map(([value, label]) => ({
          value,
          label: (
            <>
              {label} <span className="font-normal text-faint tabular-nums">{formatted(counts[value])}</span>
            </>
          ),
        }))}
        className="self-center"
      />
    </TableToolbar>
  );
}
