"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cx } from "./classes.ts";

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

export interface Selection {
  selected: ReadonlySet<string>;
  onSelectedChange(selected: ReadonlySet<string>): void;
  /** "Select Coffee lover". */
  labelOf(rowKey: string): string;
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
  /** The rows that are selected, by their keys; without it none can be. */
  selection?: Selection;
  /** Rows are on their way: those that are there are shown paler. */
  isStale?: boolean;
  /** In place of rows. */
  empty?: ReactNode;
}

/** Rows that the server has sorted, filtered and cut into pages. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  href,
  sorting,
  onSortingChange,
  selection,
  isStale,
  empty,
}: DataTableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    // Words for screen readers are taken out of the flow: they have to stay inside of what scrolls.
    <div className="relative overflow-x-auto">
      <table
        aria-label={label}
        aria-busy={isStale}
        className={cx("w-full border-collapse text-left transition-opacity", isStale && "opacity-60")}
      >
        <thead>
          <tr className="border-b border-line">
            {selection && (
              <td className="h-9 w-9 pl-4">
                <SelectAll selection={selection} keys={rows.map(rowKey)} />
              </td>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
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
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={cx("relative border-b border-line last:border-b-0", href && "hover:bg-raised")}>
              {selection && (
                <td className="h-11 w-9 pl-4">
                  <SelectOne selection={selection} rowKey={rowKey(row)} />
                </td>
              )}
              {columns.map((column, at) => (
                <td key={column.id} className={cellClasses(column, at === 0, href !== undefined)}>
                  {/* Called, not rendered as a component: columns that are made anew must not mount their cells anew, and lose the focus. */}
                  {href && at === 0 ? <RowLink href={href(row)}>{column.cell(row)}</RowLink> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Native, as a list may have two hundred of them. It stands above the link that the whole row is. */
const BOX = "relative z-10 block size-4 cursor-pointer accent-accent-fill";

function SelectOne({ selection: { selected, onSelectedChange, labelOf }, rowKey }: { selection: Selection; rowKey: string }) {
  const isSelected = selected.has(rowKey);
  const toggle = () => onSelectedChange(isSelected ? selected.difference(new Set([rowKey])) : selected.union(new Set([rowKey])));
  return <input type="checkbox" className={BOX} checked={isSelected} onChange={toggle} aria-label={labelOf(rowKey)} />;
}

/** Selects the rows of this page, or none of them. */
function SelectAll({ selection: { selected, onSelectedChange }, keys }: { selection: Selection; keys: readonly string[] }) {
  const count = keys.filter((key) => selected.has(key)).length;
  const isAll = count > 0 && count === keys.length;
  return (
    <input
      type="checkbox"
      className={BOX}
      checked={isAll}
      ref={(box) => void (box && (box.indeterminate = count > 0 && !isAll))}
      onChange={() => onSelectedChange(isAll ? selected.difference(new Set(keys)) : selected.union(new Set(keys)))}
      aria-label="Select all on this page"
    />
  );
}

/** In a table whose rows lead somewhere the first column is their link: it has the room that the others leave, and cuts off what is too long for it. */
const cellClasses = <Row,>({ isNumeric, className }: Column<Row>, isFirst: boolean, hasLinks: boolean): string =>
  cx(
    "h-11 px-3 py-1.5 first:pl-4 last:pr-4",
    isFirst && hasLinks ? "w-full max-w-0 min-w-52" : "max-w-96",
    hasLinks && !isFirst && "whitespace-nowrap",
    isNumeric && "text-right tabular-nums",
    className,
  );

const RowLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link
    href={href}
    prefetch={false}
    className="block rounded font-medium text-ink after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
  >
    {children}
  </Link>
);

const ariaSort = <Row,>({ sortKey }: Column<Row>, sorting?: Sorting) =>
  sortKey === undefined ? undefined : sorting?.by !== sortKey ? "none" : sorting.descending ? "descending" : "ascending";

function HeaderCell<Row>({
  column,
  sorting,
  onSortingChange,
}: { column: Column<Row> } & Pick<DataTableProps<Row>, "sorting" | "onSortingChange">) {
  const { sortKey, header } = column;
  if (sortKey === undefined || !onSortingChange) return header;
  const isCurrent = sorting?.by === sortKey;
  const Arrow = isCurrent && sorting.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => onSortingChange({ by: sortKey, descending: isCurrent ? !sorting.descending : false })}
      // Figures end where their heading does, so the arrow stands before it.
      className={cx(
        "group -mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink",
        column.isNumeric && "flex-row-reverse",
        isCurrent && "text-ink",
      )}
    >
      {header}
      <Arrow className={cx("size-3", !isCurrent && "opacity-0 group-hover:opacity-50")} aria-hidden />
    </button>
  );
}
