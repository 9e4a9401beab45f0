import { formatted, plural } from "../../server/model/kernel/thousands.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { hashKey, keepPreviousData, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Loaded } from "./problems.tsx";
import { Card, Dimmed, EmptyState } from "./surface.tsx";
import { DataTable, type DataTableProps } from "./table.tsx";
import { Button } from "./button.tsx";

interface PagedListProps<Row> {
  /** Names the list, and the error if it cannot be loaded. */
  label: string;
  list: Listed<{ next: string | null; total?: number }>;
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  /** Shown when there are no rows. */
  empty: { icon?: ReactNode; title: string; words?: ReactNode; action?: ReactNode };
  /** Beside the pager's buttons. */
  summary?: ReactNode;
  children(rows: readonly Row[]): ReactNode;
}

/** A page of rows, and the way to the others. */
export function PagedList<Row>({ label, list, rows, empty: { words, ...empty }, summary, children }: PagedListProps<Row>) {
  const { data, error, isPlaceholderData, refetch, pages } = list;
  // The last page has lost its rows, as when they were deleted, or its missing texts were written.
  const isGone = rows?.length === 0 && !isPlaceholderData && Boolean(data?.total);
  useEffect(() => {
    if (isGone) pages.toPrevious?.();
  }, [isGone, pages.number]);
  return (
    <>
      <Loaded of={{ data: rows, error, refetch }} what={label} isInset className="h-40">
        {(shown) =>
          shown.length === 0 ? <EmptyState {...empty}>{words}</EmptyState> : <Dimmed isStale={isPlaceholderData}>{children(shown)}</Dimmed>
        }
      </Loaded>
      <Pager pages={pages} next={data?.next} isStale={isPlaceholderData} summary={summary} />
    </>
  );
}

type PagedTableProps<Row> = Omit<PagedListProps<Row>, "children"> & Omit<DataTableProps<Row>, "empty" | "rows">;

export const PagedTable = <Row,>({ list, rows, empty, summary, ...table }: PagedTableProps<Row>) => (
  <PagedList label={table.label} list={list} rows={rows} empty={empty} summary={summary}>
    {(shown) => <DataTable {...table} rows={shown} />}
  </PagedList>
);

interface ListCardProps {
  /** Whether the card shows its label as a title. */
  isTitled?: boolean;
  description?: ReactNode;
  actions?: ReactNode;
  /** Above the table. */
  filters?: ReactNode;
  /** Whether any filter is set. If none is, an empty list hides its filters. */
  isFiltered?: boolean;
  /** Below the table. */
  children?: ReactNode;
}

export function ListCard<Row>({
  isTitled = false,
  description,
  actions,
  filters,
  isFiltered = true,
  children,
  ...table
}: ListCardProps & PagedTableProps<Row>) {
  const { label, rows, list } = table;
  // Placeholder rows are of the previous filters, and say nothing about the new ones.
  const isEmpty = rows?.length === 0 && !list.isPlaceholderData && list.pages.number === 1;
  return (
    <Card title={isTitled ? label : undefined} description={description} padded={false} actions={actions}>
      {(isFiltered || !isEmpty) && filters}
      <PagedTable {...table} />
      {children}
    </Card>
  );
}

interface Pages {
  /** The cursor of the current page; null for the first. */
  cursor: string | null;
  /** Page number, from 1. */
  number: number;
  toFirst(): void;
  toPrevious: (() => void) | null;
  to(next: string): void;
}

/** Another `list`, such as other filters, begins at its first page. */
function usePages(list: string): Pages {
  const [opened, setOpened] = useState<{ list: string; cursors: readonly (string | null)[] }>({ list, cursors: [null] });
  /** The cursors of the current page and all before it. */
  const cursors = opened.list === list ? opened.cursors : [null];
  const open = (next: readonly (string | null)[]) => setOpened({ list, cursors: next });
  return {
    cursor: cursors.at(-1) ?? null,
    number: cursors.length,
    toFirst: () => open([null]),
    toPrevious: cursors.length > 1 ? () => open(cursors.slice(0, -1)) : null,
    to: (next) => open([...cursors, next]),
  };
}

/** A list that is read page by page; the previous page stays until the next one has loaded. */
interface Listed<Data> {
  data: Data | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch(): unknown;
  pages: Pages;
}

/** Reads a list page by page. `everyMs` refetches it; a function of the page's number may stop that. */
export function useListed<Data extends { next: string | null }>(
  // The options of each call have a type of their own, which only names their key.
  // oxlint-disable-next-line typescript/no-explicit-any
  queryAt: (cursor: string | null) => UseQueryOptions<Data, any, Data, any>,
  everyMs: number | ((page: number) => number | false) | false = false,
): Listed<Data> {
  const pages = usePages(hashKey(queryAt(null).queryKey));
  const { data, error, isPlaceholderData, refetch } = useQuery<Data, unknown, Data>({
    ...queryAt(pages.cursor),
    placeholderData: keepPreviousData,
    refetchInterval: typeof everyMs === "function" ? everyMs(pages.number) : everyMs,
  });
  return { data, error, isPlaceholderData, refetch, pages };
}

/** "51–100": the numbers of a page's rows in the whole list. */
export function rowNumbers(page: number, pageSize: number, rows: readonly unknown[]): string {
  const before = (page - 1) * pageSize;
  return rows.length === 1 ? formatted(before + 1) : `${formatted(before + 1)}–${formatted(before + rows.length)}`;
}

/** "51–100 of 120", or "12 missions" for a list of one page. Undefined while loading, and for an empty list. */
export function pageSummary(page: number, pageSize: number, data: Counted | undefined, one: string, many?: string): string | undefined {
  if (data === undefined || data.total === 0) return undefined;
  return data.total <= pageSize ? plural(data.total, one, many) : `${rowNumbers(page, pageSize, data.rows)} of ${formatted(data.total)}`;
}

interface Counted {
  rows: readonly unknown[];
  total: number;
}

interface PagerProps {
  pages: Pick<Pages, "number" | "toPrevious" | "to">;
  /** The cursor of the next page, if any. */
  next: string | null | undefined;
  /** While the rows are those of another page or list, so is `next`. */
  isStale?: boolean;
  /** For instance "1–50 of 1,000". Without a total, pages are numbered; a single page shows nothing. */
  summary?: ReactNode;
}

export function Pager({ pages, next, isStale = false, summary }: PagerProps) {
  const { number, toPrevious, to } = pages;
  const pager = useRef<HTMLDivElement>(null);
  const hasMore = toPrevious !== null || Boolean(next);
  if (summary === undefined && !hasMore) return null;
  /** Opens a page and scrolls to its top. */
  const turn = (open: () => void) => {
    open();
    const list = pager.current?.closest("section");
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
  };
  return (
    <div ref={pager} className="flex items-center gap-2 border-t border-line px-4 py-2 text-[0.8125rem] text-quiet">
      <span className="min-w-0 flex-1 tabular-nums">{summary ?? `Page ${number}`}</span>
      {hasMore && (
        <>
          <Button size="sm" isBlocked={toPrevious === null} onClick={() => toPrevious && turn(toPrevious)} icon={<ChevronLeft />}>
            Previous
          </Button>
          <Button size="sm" isBlocked={!next || isStale} onClick={() => next && turn(() => to(next))}>
            Next
            <ChevronRight />
          </Button>
        </>
      )}
    </div>
  );
}

/** The first entries of a list, and the button that shows the rest. */
export function useFirst<Item>(all: readonly Item[], count: number): [shown: readonly Item[], rest: ReactNode] {
  const [isAll, setAll] = useState(false);
  if (isAll || all.length <= count) return [all, null];
  const rest = (
    <div className="border-t border-line px-4 py-2">
      <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
        Show all {formatted(all.length)}
      </Button>
    </div>
  );
  return [all.slice(0, count), rest];
}
