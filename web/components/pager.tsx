"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

/** Which page of a list is shown whose pages follow each other by cursors. */
export interface Pages {
  /** Where the page that is shown begins; null for the first. */
  cursor: string | null;
  /** Its number, from one on. */
  number: number;
  toFirst(): void;
  toPrevious: (() => void) | null;
  to(next: string): void;
}

export function usePages(): Pages {
  /** Where each page before this one began, and this one. */
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  return {
    cursor: cursors.at(-1) ?? null,
    number: cursors.length,
    toFirst: () => setCursors([null]),
    toPrevious: cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : null,
    to: (next) => setCursors([...cursors, next]),
  };
}

interface PagerProps {
  pages: Pages;
  /** The cursor of the page after this one, where there is one. */
  next: string | null | undefined;
  /** What is shown, for instance "1–50 of 1,000". Where nobody counts, the pages are numbered, and nothing is said of a single one. */
  summary?: ReactNode;
}

export function Pager({ pages, next, summary }: PagerProps) {
  const { number, toPrevious, to } = pages;
  const hasMore = toPrevious !== null || Boolean(next);
  if (summary === undefined && !hasMore) return null;
  return (
    <div className="flex items-center gap-2 border-t border-line px-4 py-2 text-[0.8125rem] text-quiet">
      <span className="min-w-0 flex-1 tabular-nums">{summary ?? `Page ${number}`}</span>
      {hasMore && (
        <>
          <Button size="sm" disabled={toPrevious === null} onClick={() => toPrevious?.()} icon={<ChevronLeft aria-hidden />}>
            Previous
          </Button>
          <Button size="sm" disabled={!next} onClick={() => next && to(next)}>
            Next
            <ChevronRight aria-hidden />
          </Button>
        </>
      )}
    </div>
  );
}
