"use client";

import { type ColumnDef, tableFeatures, useTable } from "@tanstack/react-table";
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, Search } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Button } from "./button.tsx";
import { cx } from "./classes.ts";
import { TextInput } from "./inputs.tsx";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell(row: Row): ReactNode;
  /** By what the server sorts; without it the column cannot be sorted by. */
  sortKey?: string;
  isNumeric?: boolean;
  /** For instance "max-md:hidden". */
  className?: string;
}

export interface Sorting {
  by: string;
  descending: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists, for who cannot see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** Where a row leads; the first column is its link, and all of it can be pressed. */
  href?(row: Row): string;
  sorting?: Sorting;
  onSortingChange?(sorting: Sorting): void;
  /** Rows are on their way: those that are there are shown paler. */
  isStale?: boolean;
  /** In place of rows. */
  empty?: ReactNode;
}

const FEATURES = tableFeatures({});

/** Rows that the server has sorted, filtered and cut into pages. */
export function DataTable<Row extends object>({
  label,
  columns,
  rows,
  rowKey,
  href,
  sorting,
  onSortingChange,
  isStale,
  empty,
}: DataTableProps<Row>) {
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const definitions = useMemo(() => columns.map(({ id }): ColumnDef<typeof FEATURES, Row> => ({ id })), [columns]);
  const table = useTable({ features: FEATURES, columns: definitions, data: rows as Row[], getRowId: rowKey });
  if (rows.length === 0 && empty) return <>{empty}</>;
  const isLink = ({ id }: Column<Row>): boolean => href !== undefined && id === columns[0]?.id;
  return (
    // Words for screen readers are taken out of the flow: they have to stay inside of what scrolls.
    <div className="relative overflow-x-auto">
      <table
        aria-label={label}
        aria-busy={isStale}
        className={cx("w-full border-collapse text-left transition-opacity", isStale && "opacity-60")}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} className="border-b border-line">
              {group.headers.map((header) => {
                const column = byId.get(header.column.id)!;
                return (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={ariaSort(column, sorting)}
                    className={cx(
                      "h-9 px-3 text-xs font-medium whitespace-nowrap text-quiet first:pl-4 last:pr-4",
                      column.isNumeric && "text-right",
                      column.className,
                    )}
                  >
                    <HeaderCell column={column} sorting={sorting} onSortingChange={onSortingChange} />
                  </th>
                );
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} className={cx("relative border-b border-line last:border-b-0", href && "hover:bg-raised")}>
              {row.getAllCells().map((cell) => {
                const column = byId.get(cell.column.id)!;
                // Called, not rendered as a component: columns that are made anew must not mount their cells anew, and lose the focus.
                const content = column.cell(row.original);
                return (
                  <td
                    key={cell.id}
                    className={cx(
                      "h-11 px-3 py-1.5 first:pl-4 last:pr-4",
                      // A link has the room that the others leave, and cuts off what is too long for it.
                      isLink(column) ? "w-full max-w-0 min-w-52" : "max-w-96",
                      href && !isLink(column) && "whitespace-nowrap",
                      column.isNumeric && "text-right tabular-nums",
                      column.className,
                    )}
                  >
                    {href && isLink(column) ? (
                      <Link
                        href={href(row.original)}
                        prefetch={false}
                        className="block rounded font-medium text-ink after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                      >
                        {content}
                      </Link>
                    ) : (
                      content
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ariaSort = <Row,>({ sortKey }: Column<Row>, sorting?: Sorting) =>
  sortKey === undefined ? undefined : sorting?.by !== sortKey ? "none" : sorting.descending ? "descending" : "ascending";

function HeaderCell<Row>({
  column,
  sorting,
  onSortingChange,
}: { column: Column<Row> } & Pick<DataTableProps<Row & object>, "sorting" | "onSortingChange">) {
  const { sortKey, header } = column;
  if (sortKey === undefined || !onSortingChange) return header;
  const isCurrent = sorting?.by === sortKey;
  const Arrow = isCurrent && sorting.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => onSortingChange({ by: sortKey, descending: isCurrent ? !sorting.descending : false })}
      className={cx("group -mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink", isCurrent && "text-ink")}
    >
      {header}
      <Arrow className={cx("size-3", !isCurrent && "opacity-0 group-hover:opacity-50")} aria-hidden />
    </button>
  );
}

/** Over a table: its search on the left, its filters beside it. */
export function TableToolbar({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx("flex flex-wrap items-center gap-2 border-b border-line p-2.5", className)}>{children}</div>;
}

/** Text to search by; told a moment after the last key. */
export function SearchInput({ value, onValueChange, label }: { value: string; onValueChange(value: string): void; label: string }) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  if (told !== value) {
    setTold(value);
    setText(value);
  }
  useEffect(() => {
    if (text === told) return;
    const timer = setTimeout(() => {
      setTold(text);
      onValueChange(text);
    }, 200);
    return () => clearTimeout(timer);
  }, [text, told, onValueChange]);
  return (
    <div className="w-full min-w-40 sm:w-64">
      <TextInput
        type="search"
        value={text}
        onValueChange={setText}
        aria-label={label}
        placeholder={label}
        prefix={<Search aria-hidden />}
        autoComplete="off"
      />
    </div>
  );
}

interface PagerProps {
  /** What is shown, for instance "1–50 of 1,000". */
  summary: ReactNode;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

export function Pager({ summary, onPrevious, onNext }: PagerProps) {
  return (
    <div className="flex items-center gap-2 border-t border-line px-4 py-2 text-[0.8125rem] text-quiet">
      <span className="min-w-0 flex-1 tabular-nums">{summary}</span>
      {(onPrevious !== null || onNext !== null) && (
        <>
          <Button size="sm" disabled={onPrevious === null} onClick={() => onPrevious?.()} icon={<ChevronLeft aria-hidden />}>
            Previous
          </Button>
          <Button size="sm" disabled={onNext === null} onClick={() => onNext?.()}>
            Next
            <ChevronRight aria-hidden />
          </Button>
        </>
      )}
    </div>
  );
}

interface TrailPagerProps {
  /** The cursors of the pages before this one, and its own at the end. */
  trail: readonly (string | null)[];
  onTrailChange(trail: (string | null)[]): void;
  /** The cursor of the page after this one, where there is one. */
  next: string | null | undefined;
}

/** The pager of a list whose length nobody counts; nothing where all of it stands on one page. */
export function TrailPager({ trail, onTrailChange, next }: TrailPagerProps) {
  if (trail.length === 1 && !next) return null;
  return (
    <Pager
      summary={`Page ${trail.length}`}
      onPrevious={trail.length > 1 ? () => onTrailChange(trail.slice(0, -1)) : null}
      onNext={next ? () => onTrailChange([...trail, next]) : null}
    />
  );
}
