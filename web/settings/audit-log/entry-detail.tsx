"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { subjectWords } from "../../client/subjects.ts";
import { useWhere } from "../../client/where.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Changes, LongChanges } from "./entry-changes.tsx";
import type { Entry } from "./filter.ts";
import { doneWords, placeOf, subjectName } from "./subject.ts";

/** "created mission first_order" */
export function Done({ entry }: { entry: Entry }) {
  const { timeZone } = useWhere();
  const { subjectKind, subjectKey } = entry;
  const done = doneWords(entry);
  return (
    <>
      <span className="text-quiet">{done.action}</span> {done.subject}
      {subjectKey !== null && <code className="ml-1.5 font-mono text-xs">{subjectName(subjectKind, subjectKey, timeZone)}</code>}
    </>
  );
}

/** An expandable row; its content is rendered on first opening. */
export function Fold({ sentence, className, children }: { sentence: ReactNode; className?: string; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <li className={`text-[0.8125rem] ${className ?? ""}`}>
      <details className="group/fold" onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
        <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-raised [&::-webkit-details-marker]:hidden">
          <ChevronRight
            className="size-3.5 shrink-0 self-center text-faint transition-transform in-[details[open]>summary]:rotate-90"
            aria-hidden
          />
          {sentence}
        </summary>
        {wasOpen && <div className="flex flex-col gap-2 px-4 pt-1 pb-3 pl-10.5">{children}</div>}
      </details>
    </li>
  );
}

/** An entry's changes, field by field, and related links. */
export function EntryDetail({ entry, onSubject }: { entry: Entry; onSubject(kind: string, key: string): void }) {
  const { project } = useWhere();
  const { subjectKind, subjectKey, changes, isLong } = entry;
  const place = placeOf(project, entry);
  return (
    <>
      {isLong ? (
        <LongChanges id={entry.id} />
      ) : changes.length === 0 ? (
        <p className="text-quiet">No details recorded.</p>
      ) : (
        <Changes changes={changes} />
      )}
      {subjectKey !== null && (
        <div className="flex flex-wrap gap-2 pt-1">
          {place !== null && (
            <LinkButton size="sm" href={place}>
              Open the {subjectWords(subjectKind)}
            </LinkButton>
          )}
          <Button size="sm" onClick={() => onSubject(subjectKind, subjectKey)}>
            All changes to this {subjectWords(subjectKind)}
          </Button>
        </div>
      )}
    </>
  );
}
