"use client";

import type { ReactNode } from "react";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { Pager } from "../components/list-card.tsx";
import { Card } from "../components/surface.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { DownloadButton } from "./file.tsx";
import { ChangeWords } from "./figures.tsx";
import { useReportView } from "./report.tsx";
import type { Figure } from "./words.ts";

export interface ReportColumn<Row> extends Omit<Column<Row>, "sortKey" | "header"> {
  header: string;
  /** Sort key and column of the file; left out for display-only columns. */
  value?(row: Row): string | number | null;
}

/** A column of texts, the first of a table truncated. */
export const textColumn = <Row,>(id: string, header: string, value: (row: Row) => string): ReportColumn<Row> => ({
  id,
  header,
  value,
  cell: (row) => <span className="block truncate">{value(row)}</span>,
});

/** A column of numbers; a dash where there is none. */
export const numberColumn = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => number | null | undefined,
  format: (known: number) => string = formatted,
): ReportColumn<Row> => ({
  id,
  header,
  isNumeric: true,
  value: (row) => value(row) ?? null,
  cell(row) {
    const known = value(row) ?? null;
    return known === null ? "–" : format(known);
  },
});

/** A column of figures with their changes. On each row, "new" would say nothing. */
export const changeColumn = <Row,>(id: string, header: string, figure: (row: Row) => Figure, good?: "up"): ReportColumn<Row> => ({
  id,
  header,
  isNumeric: true,
  value: (row) => figure(row).value,
  cell: (row) => <Changed figure={figure(row)} good={good} shown={formatted(figure(row).value)} />,
});

/** A figure after its change. */
export const Changed = ({ figure, good, shown }: { figure: Figure; good?: "up"; shown: string }) => (
  <span className="inline-flex items-baseline gap-2">
    {figure.before !== 0 && <ChangeWords figure={figure} good={good} />}
    {shown}
  </span>
);

interface ReportTableProps<Row> {
  title: string;
  description?: ReactNode;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  href?(row: Row): string;
  empty: ReactNode;
}

/** A table sorted and paged in the browser, as the address says; its file has all rows, in the same order. */
export function ReportTable<Row>({ title, description, columns, rows, rowKey, href, empty }: ReportTableProps<Row>) {
  const { view, show } = useReportView();
  const descending = view.order === null;
  const column = columns.find(({ id }) => id === view.sort);
  const sorted = column?.value === undefined ? rows : sortedBy(rows, column.value, descending);
  const pages = pageOf(sorted, view.page);
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
        rows={pages.rows}
        rowKey={rowKey}
        href={href}
        sorting={column && { by: column.id, descending }}
        // Figures sort largest first by default.
        onSortingChange={(next) => {
          const isDescending = next.by === view.sort ? next.descending : columns.some(({ id, isNumeric }) => id === next.by && isNumeric);
          show({ sort: next.by, order: isDescending ? null : "ascending" });
        }}
        empty={<p className="px-4 py-10 text-center text-quiet">{empty}</p>}
      />
      {rows.length > PAGE_ROWS && (
        <Pager
          summary={pages.summary}
          pages={{
            number: pages.number,
            toPrevious: pages.number === 1 ? null : () => show({ page: pages.number === 2 ? null : String(pages.number - 1) }),
            to: (page) => show({ page }),
          }}
          next={pages.next}
        />
      )}
    </Card>
  );
}

const PAGE_ROWS = 50;

/** The page of the address; the last one where there are fewer by now. */
export function pageOf<Row>(rows: readonly Row[], page: string | null) {
  const number = Math.min(Number(page ?? 1), Math.max(1, Math.ceil(rows.length / PAGE_ROWS)));
  const [first, end] = [(number - 1) * PAGE_ROWS, Math.min(number * PAGE_ROWS, rows.length)];
  return {
    number,
    rows: rows.slice(first, end),
    summary: `${formatted(first + 1)}–${formatted(end)} of ${formatted(rows.length)}`,
    next: end < rows.length ? String(number + 1) : null,
  };
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
