"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight, ScrollText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ExportMenu } from "../../client/export-menu.tsx";
import { orpc, useWhere } from "../../client/service.tsx";
import { actionWords, subjectWords } from "../../client/subjects.ts";
import { useAddress } from "../../client/use-address.ts";
import { Filters } from "../../components/filters.tsx";
import { lazily } from "../../components/lazily.tsx";
import { PagedList, useListed } from "../../components/list-card.tsx";
import { Page } from "../../components/page.tsx";
import { Badge, Card, Skeleton } from "../../components/surface.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";
import { AUDIT_LOG, type AuditLogEntry, exportFilters, auditLogInput, partsInput } from "./filter.ts";
import { EnvironmentBadge } from "../../components/environment-badge.tsx";
import { Instant } from "../../components/time.tsx";
import { doneWords, partsWords } from "./subject.ts";
import { SubjectName } from "./subject-name.tsx";

/** Loaded when an entry is opened: its words need the rules, with zod. */
const EntryDetail = lazily(() => import("./entry-detail.tsx").then((loaded) => loaded.EntryDetail), {
  waiting: <Skeleton className="h-16" />,
});

export function AuditLog() {
  const { project } = useWhere();
  const [filter, show] = useAddress(AUDIT_LOG);
  const { data: facets } = useQuery(orpc.auditLog.facets.queryOptions({ input: { project } }));
  const list = useListed((cursor) => orpc.auditLog.list.queryOptions({ input: auditLogInput(project, filter, cursor) }));
  const isFiltered = AUDIT_LOG.isFiltered(filter);
  return (
    <Page
      title="Audit log"
      description="Every change in both environments, from the dashboard and the command line."
      actions={<ExportMenu role="Viewer" lists={[{ list: "audit-log", filters: exportFilters(filter) }]} />}
    >
      <Card padded={false}>
        <Filters
          address={AUDIT_LOG}
          filter={filter}
          onFilterChange={show}
          fields={{
            actor: { label: "Person", all: "Everyone", options: optionsOf(facets?.actors) },
            action: { label: "Action", all: "All actions", options: optionsOf(facets?.actions, actionWords) },
            subjectKind: { label: "Kind", all: "Everything", options: optionsOf(facets?.subjectKinds, subjectWords) },
            environment: { label: "Environment", all: "Both", options: ENVIRONMENTS },
          }}
          className="lg:grid-cols-2 xl:grid-cols-[repeat(4,minmax(0,1fr))_13.5rem_13.5rem]"
        >
          {filter.subjectKey !== null && (
            <Badge className="min-w-0 font-mono">
              <span className="truncate">{filter.subjectKey}</span>
            </Badge>
          )}
        </Filters>
        <PagedList
          label="Changes"
          list={list}
          rows={list.data?.entries}
          empty={{
            icon: <ScrollText />,
            title: isFiltered ? "No matching changes" : "No changes yet",
            words: isFiltered ? "Clear the filters, or choose another time." : "Every change is listed here with who made it.",
          }}
        >
          {(entries) => (
            <ol aria-label="Changes">
              {entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} onSubject={(subjectKind, subjectKey) => show({ subjectKind, subjectKey })} />
              ))}
            </ol>
          )}
        </PagedList>
      </Card>
    </Page>
  );
}

const ENVIRONMENTS = [
  { value: "sandbox", label: "Sandbox" },
  { value: "live", label: "Live" },
  { value: "project", label: "Project" },
];

const optionsOf = (values: string[] = [], words?: (value: string) => string) =>
  values.map((value) => ({ value, label: words === undefined ? value : capitalised(words(value)) }));

interface Props {
  entry: AuditLogEntry;
  /** Filters by this subject. */
  onSubject(kind: string, key: string): void;
}

/** Actions that group several changes. */
const WHOLES: Record<string, string> = { promote: "a promotion", import: "an import" };

/** An entry as a sentence; expands to its difference or its parts. */
function EntryRow({ entry, onSubject }: Props) {
  const { at, actor, token, environment, partOf } = entry;
  const sentence = (
    <>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-medium">{actor}</span>
        {token !== null && <span className="text-quiet"> by the token {token}</span>} <EntryWords entry={entry} />
        {partOf !== null && <span className="text-quiet"> in {WHOLES[partOf.action] ?? "a larger change"}</span>}
      </span>
      <span className="flex items-center gap-3 max-sm:ml-6.5">
        {environment !== null && <EnvironmentBadge environment={environment} />}
        <span className="text-quiet sm:w-28 sm:text-right">
          <Instant value={at} />
        </span>
      </span>
    </>
  );
  return (
    <EntryFold className="border-b border-line last:border-b-0" sentence={sentence}>
      {entry.parts === null ? <EntryDetail entry={entry} onSubject={onSubject} /> : <EntryParts entry={entry} onSubject={onSubject} />}
    </EntryFold>
  );
}

/** "created mission first_order" */
function EntryWords({ entry }: { entry: AuditLogEntry }) {
  const done = doneWords(entry);
  return (
    <>
      <span className="text-quiet">{done.action}</span> {done.subject} <SubjectName entry={entry} />
    </>
  );
}

/** An expandable row; its content is rendered on first opening. */
function EntryFold({ sentence, className, children }: { sentence: ReactNode; className?: string; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <li className={`text-[0.8125rem] ${className ?? ""}`}>
      <details className="group/fold" onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
        <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-raised [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-3.5 shrink-0 self-center text-faint transition-transform in-[details[open]>summary]:rotate-90" />
          {sentence}
        </summary>
        {wasOpen && <div className="flex flex-col gap-2 px-4 pt-1 pb-3 pl-10.5">{children}</div>}
      </details>
    </li>
  );
}

/** The parts of a promotion or an import, page by page, each with its difference. */
function EntryParts({ entry, onSubject }: { entry: AuditLogEntry; onSubject(kind: string, key: string): void }) {
  const { project } = useWhere();
  const list = useListed((cursor) => orpc.auditLog.list.queryOptions({ input: partsInput(project, entry.id, cursor) }));
  return (
    <>
      <p className="text-quiet">{partsWords(entry.parts ?? {})}</p>
      <div className="rounded-lg border border-line">
        <PagedList label="Changes" list={list} rows={list.data?.entries} empty={{ title: "No changes" }}>
          {(parts) => (
            <ul aria-label="Changed definitions">
              {parts.map((part) => (
                <EntryFold key={part.id} className="border-b border-line last:border-b-0" sentence={<EntryWords entry={part} />}>
                  <EntryDetail entry={part} onSubject={onSubject} />
                </EntryFold>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </>
  );
}
