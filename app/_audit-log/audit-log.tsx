"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { useState } from "react";
import { orpc, rpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Menu } from "../_components/overlay.tsx";
import { Page } from "../_components/page.tsx";
import { problemOf } from "../_components/problems.tsx";
import { Card, EmptyState, Skeleton } from "../_components/surface.tsx";
import { Pager, usePages } from "../_components/pager.tsx";
import { useToast } from "../_components/toast.tsx";
import { EntryRow } from "./entry-row.tsx";
import { toCsv, toJsonLines } from "./export.ts";
import { type Entry, type Filter, isFiltered, listInput, queryOf } from "./filter.ts";
import { Filters } from "./filters.tsx";

/** Who changed what, and when: the newest first, each with its difference. */
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
      actions={<Export filter={filter} />}
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

const EXPORTED_AT_ONCE = 500;

/** Everything that fits the filter, as a file. */
function Export({ filter }: { filter: Filter }) {
  const { project } = useWhere();
  const toast = useToast();
  const [isWorking, setWorking] = useState(false);
  const save = async (ending: "csv" | "jsonl", write: (entries: Entry[]) => string) => {
    setWorking(true);
    try {
      const entries: Entry[] = [];
      for (let cursor: string | null | undefined = null; cursor !== undefined;) {
        const page: { entries: Entry[]; next: string | null } = await rpc.auditLog.list({
          ...listInput(project, filter, cursor),
          parts: "listed",
          take: EXPORTED_AT_ONCE,
        });
        entries.push(...page.entries);
        cursor = page.next ?? undefined;
      }
      download(`${project}-audit-log.${ending}`, write(entries));
    } catch (error) {
      toast({ title: "The export failed", description: problemOf(error), tone: "bad" });
    } finally {
      setWorking(false);
    }
  };
  return (
    <Menu
      trigger={
        <Button icon={<Download aria-hidden />} isPending={isWorking}>
          Export
        </Button>
      }
      items={[
        { label: "CSV", hint: "For spreadsheets", onSelect: () => void save("csv", toCsv) },
        { label: "JSON lines", hint: "For programs: one entry per line", onSelect: () => void save("jsonl", toJsonLines) },
      ]}
    />
  );
}

function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
