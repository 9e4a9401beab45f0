"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Skeleton } from "../../components/surface.tsx";
import { Done, EntryDetail, Fold } from "./entry-detail.tsx";
import { type Entry, partsInput } from "./filter.ts";
import { partsWords } from "./subject.ts";

/** The parts of a promotion or an import, page by page, each with its difference. */
export function EntryParts({ entry, onSubject }: { entry: Entry; onSubject(kind: string, key: string): void }) {
  const { project } = useWhere();
  const pages = usePages();
  const { data, error, refetch } = useQuery({
    ...orpc.auditLog.list.queryOptions({ input: partsInput(project, entry.id, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p className="text-quiet">{partsWords(entry.parts ?? {})}</p>
      <ReadFailed title="The changes could not be loaded" error={error} onRetry={refetch} />
      {data === undefined && !error && <Skeleton className="h-16" />}
      {data && (
        <div className="rounded-lg border border-line">
          <ul aria-label="What it brought">
            {data.entries.map((part) => (
              <Fold key={part.id} className="border-b border-line last:border-b-0" sentence={<Done entry={part} />}>
                <EntryDetail entry={part} onSubject={onSubject} />
              </Fold>
            ))}
          </ul>
          <Pager pages={pages} next={data.next} />
        </div>
      )}
    </>
  );
}
