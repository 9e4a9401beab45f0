import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cx } from "./classes.ts";
import { Navigating } from "./page-link.tsx";
import { Instant } from "./time.tsx";

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell(row: Row): ReactNode;
  /** The server's sort key; without it the column is not sortable. */
  sortKey?: string;
  isNumeric?: boolean;
  /** For instance "max-md:hidden". */
  className?: string;
}

interface Sorting {
  by: string;
  descending: boolean;
}

interface Selection {
  selected: ReadonlySet<string>;
  onSelectedChange(selected: ReadonlySet<string>): void;
  /** "Select Coffee lover". */
  labelOf(rowKey: string): string;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** The row's link, on the first column; the whole row is clickable. Null for a row without one. */
  href?(row: Row): string | null;
  /** Opens the row beside the list; the first column is its button, and the whole row is clickable. */
  onOpen?(row: Row): void;
  sorting?: Sorting;
  onSortingChange?(sorting: Sorting): void;
  /** Keys of the selected rows; without it rows are not selectable. */
  selection?: Selection;
  /** Shown when there are no rows. */
  empty?: ReactNode;
}

/** A table whose rows the server sorts, filters and pages. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  href,
  onOpen,
  sorting,
  onSortingChange,
  selection,
  empty,
}: DataTableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    // Text for screen readers is positioned absolutely: it has to stay inside the scroll container.
    <div className="relative scroll-shadows overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-left">
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
                  "h-9 px-3 max-sm:px-2 text-xs font-medium whitespace-nowrap text-quiet first:pl-4 last:pr-4",
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
            <tr
              key={rowKey(row)}
              className={cx("relative border-b border-line last:border-b-0", (href?.(row) || onOpen) && "hover:bg-raised")}
            >
              {selection && (
                <td className="h-11 w-9 pl-4">
                  <SelectOne selection={selection} rowKey={rowKey(row)} />
                </td>
              )}
              {columns.map((column, at) => (
                <td key={column.id} className={cellClasses(column, at === 0, href !== undefined)}>
                  {/* Called, not rendered as a component: recreated columns must not remount their cells, which would lose the focus. */}
                  {at > 0 || (!href && !onOpen) ? (
                    column.cell(row)
                  ) : href ? (
                    <RowLink href={href(row)}>{column.cell(row)}</RowLink>
                  ) : (
                    <RowButton onClick={() => onOpen!(row)}>{column.cell(row)}</RowButton>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A native checkbox, since a list may have two hundred. It is above the row's link. */
const BOX =
  "relative z-10 block size-4 cursor-pointer rounded border border-line-strong bg-paper not-forced-colors:appearance-none checked:border-transparent checked:bg-accent-fill checked:tick indeterminate:border-transparent indeterminate:bg-accent-fill indeterminate:dash";

function SelectOne({ selection: { selected, onSelectedChange, labelOf }, rowKey }: { selection: Selection; rowKey: string }) {
  const isSelected = selected.has(rowKey);
  const toggle = () => onSelectedChange(isSelected ? selected.difference(new Set([rowKey])) : selected.union(new Set([rowKey])));
  return <input type="checkbox" className={BOX} checked={isSelected} onChange={toggle} aria-label={labelOf(rowKey)} />;
}

/** Selects all rows of this page, or none. */
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

/** In a table with linked rows the first column is the link: it takes the remaining width and truncates. */
const cellClasses = <Row,>({ isNumeric, className }: Column<Row>, isFirst: boolean, hasLinks: boolean): string =>
  cx(
    "h-11 px-3 py-1.5 first:pl-4 last:pr-4 max-sm:px-2",
    isFirst && hasLinks ? "w-full max-w-0 min-w-52 max-sm:min-w-40" : "max-w-96",
    hasLinks && !isFirst && "whitespace-nowrap",
    isNumeric && "text-right tabular-nums",
    className,
  );

const RowLink = ({ href, children }: { href: string | null; children: ReactNode }) =>
  href === null ? (
    children
  ) : (
    <Link
      href={href}
      prefetch={false}
      className="block rounded font-medium text-ink after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {children}
      <Navigating />
    </Link>
  );

const RowButton = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <button
    type="button"
    onClick={onClick}
    className="block min-w-36 rounded text-left font-mono text-xs wrap-anywhere after:absolute after:inset-0"
  >
    {children}
  </button>
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
      // Numbers are right-aligned with their heading, so the arrow comes first.
      className={cx(
        "group -mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink",
        column.isNumeric && "flex-row-reverse",
        isCurrent && "text-ink",
      )}
    >
      {header}
      <Arrow className={cx("size-3", !isCurrent && "opacity-0 group-hover:opacity-50 max-2xl:hidden")} />
    </button>
  );
}

interface Look {
  className?: string;
  onClock?: boolean;
  isQuiet?: boolean;
  /** Shown when the instant is unknown. */
  none?: string;
}

export const instantColumn = <Row,>(
  header: string,
  instantOf: (row: Row) => string | null,
  { className, onClock, isQuiet, none = "–" }: Look = {},
): Column<Row> => ({
  id: header,
  header,
  className,
  cell(row) {
    const value = instantOf(row);
    if (value === null) return <span className="text-quiet">{none}</span>;
    const instant = <Instant value={value} onClock={onClock} />;
    return isQuiet ? <span className="relative text-quiet">{instant}</span> : instant;
  },
});

export const column = <Row,>(header: string, cell: (row: Row) => ReactNode, className?: string): Column<Row> => ({
  id: header,
  header,
  cell,
  className,
});

/** The same with numbers. */
export const numericColumn = <Row,>(...of: Parameters<typeof column<Row>>): Column<Row> => ({ ...column(...of), isNumeric: true });

/** A column of buttons and menus. `relative` keeps texts for screen readers, its header among them, inside the scrolling table. */
export const actionColumn = <Row,>(name: string, cell: (row: Row) => ReactNode, className = "relative text-right"): Column<Row> => ({
  id: name,
  header: <span className="sr-only">{name}</span>,
  className,
  cell,
});
