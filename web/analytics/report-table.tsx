"use client";

import type { ReactNode } from "react";
import { Card } from "../components/surface.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { DownloadButton } from "./file.tsx";
import { useReportView } from "./report-view.tsx";

export interface ReportColumn<Row> extends Omit<Column<Row>, "sortKey" | "header"> {
  header: string;
  /** Sort key and column of the file; left out for display-only columns. */
  value?(row: Row): string | number | null;
}

interface ReportTableProps<Row> {
  title: string;
  description?: ReactNode;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  href?(row: Row): string;
  empty: ReactNode;
}

/** A table sorted in the browser, as the address says; its file has the same order. */
export function ReportTable<Row>({ title, description, columns, rows, rowKey, href, empty }: ReportTableProps<Row>) {
  const { view, show } = useReportView();
  const column = columns.find(({ id }) => id === view.sort);
  const sorted = column?.value === undefined ? rows : sortedBy(rows, column.value, view.descending);
  const told = columns.filter(({ value }) => value !== undefined);
  return (
    <Card
      title={title}
      description={description}
      padded={false}
      actions={
        rows.length > 0 && (
          <DownloadButton
            name={title}
            rows={() => [told.map(({ header }) => header), ...sorted.map((row) => told.map(({ value }) => value!(row)))]}
          />
        )
      }
    >
      <DataTable
        label={title}
        columns={columns.map((one) => ({ ...one, sortKey: one.value && one.id }))}
        rows={sorted}
        rowKey={rowKey}
        href={href}
        sorting={column && { by: column.id, descending: view.descending }}
        // Figures sort largest first by default.
        onSortingChange={({ by, descending }) =>
          show({ sort: by, descending: by === view.sort ? descending : columns.some(({ id, isNumeric }) => id === by && isNumeric) })
        }
        empty={<p className="px-4 py-10 text-center text-quiet">{empty}</p>}
      />
    </Card>
  );
}

/** Missing values come last in either direction. */
export function sortedBy<Row>(rows: readonly Row[], value: (row: Row) => string | number | null, descending: boolean): Row[] {
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en");
    return descending ? -order : order;
  });
}
