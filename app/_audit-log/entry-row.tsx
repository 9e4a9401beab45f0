"use client";

import { ChevronRight } from "lucide-react";
import { actionWords, subjectWords } from "../_client/subjects.ts";
import { useWhere } from "../_client/where.tsx";
import { Badge } from "../_components/surface.tsx";
import { Instant } from "../_components/time.tsx";
import type { Entry } from "./filter.ts";

interface Props {
  entry: Entry;
  /** Shows the history of that one thing alone. */
  onSubject(kind: string, key: string): void;
}

/** One change as a sentence; its difference below, when it is opened. */
export function EntryRow({ entry, onSubject }: Props) {
  const { timeZone } = useWhere();
  const { at, actor, environment, action, subjectKind, subjectKey, changes } = entry;
  const sentence = (
    <>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="font-medium">{actor}</span> <span className="text-quiet">{actionWords(action)}</span> {subjectWords(subjectKind)}
        {subjectKey !== null && <code className="ml-1.5 font-mono text-xs">{subjectKey}</code>}
      </span>
      {environment !== null && <Badge tone={environment}>{environment === "live" ? "Live" : "Sandbox"}</Badge>}
      <span className="w-28 text-right text-quiet">
        <Instant value={at} timeZone={timeZone} />
      </span>
    </>
  );
  return (
    <li className="border-b border-line text-[0.8125rem] last:border-b-0">
      <details className="group">
        <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-raised [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-3.5 shrink-0 self-center text-faint transition-transform group-open:rotate-90" aria-hidden />
          {sentence}
        </summary>
        <div className="flex flex-col gap-2 px-4 pt-1 pb-3 pl-10.5">
          {changes.length === 0 ? <p className="text-quiet">No more is noted of it.</p> : <Changes changes={changes} />}
          {subjectKey !== null && (
            <button
              type="button"
              onClick={() => onSubject(subjectKind, subjectKey)}
              className="self-start rounded text-accent hover:underline"
            >
              All changes of this {subjectWords(subjectKind)}
            </button>
          )}
        </div>
      </details>
    </li>
  );
}

const Changes = ({ changes }: { changes: Entry["changes"] }) => (
  <dl className="flex flex-col gap-1.5">
    {changes.map(({ path, before, after }, at) => (
      <div key={at} className="grid gap-x-3 sm:grid-cols-[minmax(6rem,12rem)_1fr]">
        <dt className="text-quiet wrap-anywhere">{path || "All of it"}</dt>
        <dd className="flex min-w-0 flex-col gap-0.5 font-mono text-xs">
          {before !== null && (
            <span className="rounded bg-bad-soft px-1.5 py-0.5 text-bad wrap-anywhere">
              <span className="sr-only">Before: </span>− {before}
            </span>
          )}
          {after !== null && (
            <span className="rounded bg-good-soft px-1.5 py-0.5 text-good wrap-anywhere">
              <span className="sr-only">After: </span>+ {after}
            </span>
          )}
        </dd>
      </div>
    ))}
  </dl>
);
