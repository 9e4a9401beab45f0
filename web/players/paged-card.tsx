import type { ReactNode } from "react";
import { type Pages, Pager } from "../components/pager.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Column, DataTable } from "../components/table.tsx";

interface PagedCardProps<Row> {
  title: string;
  actions?: ReactNode;
  columns: readonly Column<Row>[];
  /** The page's rows and the next cursor; undefined while loading. */
  page: { rows: readonly Row[]; next: string | null } | undefined;
  read: { error: unknown; isPlaceholderData: boolean };
  pages: Pages;
  /** Shown when there are no rows. */
  empty: { icon: ReactNode; title: string; words: string };
  children?: ReactNode;
}

/** A paged list of a player. */
export const PagedCard = <Row extends { id: string }>({
  title,
  actions,
  columns,
  page,
  read: { error, isPlaceholderData },
  pages,
  empty,
  children,
}: PagedCardProps<Row>) => (
  <Card title={title} padded={false} actions={actions}>
    <ReadFailed title={`${title} could not be loaded`} error={error} />
    {page && (
      <DataTable
        label={title}
        columns={columns}
        rows={page.rows}
        rowKey={({ id }) => id}
        isStale={isPlaceholderData}
        empty={
          <EmptyState icon={empty.icon} title={empty.title}>
            {empty.words}
          </EmptyState>
        }
      />
    )}
    <Pager pages={pages} next={page?.next} />
    {children}
  </Card>
);
