"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { ExportMenu } from "../../client/export-menu.tsx";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Page } from "../../components/page.tsx";
import { Card, EmptyState, Skeleton } from "../../components/surface.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { EntryRow } from "./entry-row.tsx";
import { exportFilters, type Filter, isFiltered, listInput, queryOf } from "./filter.ts";
import { Filters } from "./filters.tsx";

/** The audit log, newest first, each entry with its difference. */
export function AuditLog({ initialFilter }: { initialFilter: Filter }) {
  const { project } = useWhere();
  const [filter, setFilter] = useState(initialFilter);
  const pages = usePages();
  const { data, isPlaceholderData } = useQuery({
    ...orpc.auditLog.list.queryOptions({ input: listInput(project, filter, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const change = (next: Filter) => {
    setFilter(next);
    pages.toFirst();
    history.replaceState(null, "", `${location.pathname}${queryOf(next)}`);
  };
  return (
    <Page
      title="Audit log"
      description="Every change in both environments, from the dashboard and the command line."
      actions={<ExportMenu role="Viewer" lists={[{ list: "audit-log", filters: exportFilters(filter) }]} />}
    >
      <Card padded={false}>
        <Filters filter={filter} onFilterChange={change} />
        {data === undefined ? (
          <Skeleton className="m-4 h-40" />
        ) : data.entries.length === 0 ? (
          <EmptyState icon={<ScrollText aria-hidden />} title={isFiltered(filter) ? "No matching changes" : "No changes yet"}>
            {isFiltered(filter) ? "Clear the filters, or choose another time." : "Every change is listed here with who made it."}
          </EmptyState>
        ) : (
          <ol aria-label="Changes" aria-busy={isPlaceholderData} className={isPlaceholderData ? "opacity-60" : undefined}>
            {data.entries.map((entry) => (
              <EntryRow
                key={entry.id}
                entry={entry}
                onSubject={(subjectKind, subjectKey) => change({ ...filter, subjectKind, subjectKey })}
              />
            ))}
          </ol>
        )}
        <Pager pages={pages} next={data?.next} />
      </Card>
    </Page>
  );
}
