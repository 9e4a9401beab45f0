import { ORPCError } from "@orpc/client";
import type { ReactNode } from "react";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { MAX_PAGE_ROWS, type Page } from "../../server/model/analytics/table.ts";
import { rpc, useWhere } from "../client/service.tsx";
import { Pager, rowNumbers } from "../components/list-card.tsx";
import { Card } from "../components/surface.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { DownloadButton } from "./file.tsx";
import { ChangeWords } from "./figures.tsx";
import { useReportView } from "./report.tsx";
import { reportInput } from "./report-query.ts";
import type { ReportPath } from "./reports.ts";
import { tableOf } from "./view.ts";
import type { Figure } from "#server/model/analytics/sums.ts";

export interface ReportColumn<Row> extends Omit<Column<Row>, "sortKey" | "header"> {
  header: string;
  /** Column of the file, and sorted by the service; left out for display-only columns. */
  value?(row: Row): string | number | null;
  /** The unit of the value, for the file: the cell shows it with each value. */
  unit?: string;
  isUnsorted?: true;
}

/** A column of texts, the first of a table truncated. */
export const textColumn = <Row,>(id: string, header: string, value: (row: Row) => string): ReportColumn<Row> => ({
  id,
  header,
  value,
  cell: (row) => (
    <span dir="auto" className="block truncate text-left">
      {value(row)}
    </span>
  ),
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
  report: ReportPath;
  /** The page in the address. */
  table: Page<Row>;
  rowKey(row: Row): string;
  href?(row: Row): string;
  empty: ReactNode;
}

/** A table sorted and paged by the service, as the address says; its file has all rows, in the same order. */
export function ReportTable<Row>({ title, description, columns, report, table, rowKey, href, empty }: ReportTableProps<Row>) {
  const { scope } = useWhere();
  const { view, range, show } = useReportView();
  const load = async (input: object) =>
    (await (rpc.analytics[report] as unknown as (input: object) => Promise<{ table: Page<Row> }>)(input)).table;
  const descending = view.order === null;
  const column = columns.find(({ id, value, isUnsorted }) => id === view.sort && value !== undefined && !isUnsorted);
  const exported = columns.filter(({ value }) => value !== undefined);
  const { rows, count, page, limit } = table;
  return (
    <Card
      title={title}
      description={description}
      padded={false}
      actions={
        count > 0 && (
          <DownloadButton
            name={title}
            rows={async () => {
              const all = await allRows((page) => load(reportInput(scope, range, view, { ...tableOf(view), ...page })), rowKey);
              const heading = exported.map(({ header, unit }) => (unit === undefined ? header : `${header} (${unit})`));
              return [heading, ...all.map((row) => exported.map(({ value }) => value!(row)))];
            }}
          />
        )
      }
    >
      <DataTable
        label={title}
        columns={columns.map((one) => ({ ...one, sortKey: one.value && !one.isUnsorted ? one.id : undefined }))}
        rows={rows}
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
      {count > limit && (
        <Pager
          summary={`${rowNumbers(page, limit, rows)} of ${formatted(count)}`}
          pages={{
            number: page,
            toPrevious: page === 1 ? null : () => show({ page: page === 2 ? null : String(page - 1) }),
            to: (next) => show({ page: next }),
          }}
          next={page * limit < count ? String(page + 1) : null}
        />
      )}
    </Card>
  );
}

const TRIES = 3;

/** All pages. A row can change its page while they are read: then they are read again. */
export async function allRows<Row>(
  load: (input: { page: number; limit: number }) => Promise<Page<Row>>,
  rowKey: (row: Row) => string,
): Promise<Row[]> {
  for (let at = 0; at < TRIES; at++) {
    const found = new Map<string, Row>();
    let page = 1;
    let last: Page<Row>;
    do {
      last = await load({ page, limit: MAX_PAGE_ROWS });
      for (const row of last.rows) found.set(rowKey(row), row);
    } while (page++ * MAX_PAGE_ROWS < last.count);
    if (found.size === last.count) return [...found.values()];
  }
  throw new ORPCError("CONFLICT", { message: "The figures changed while the file was being made. Try again." });
}
