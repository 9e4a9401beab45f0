"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

/** State of a list paged by cursor. */
export interface Pages {
  /** The cursor of the current page; null for the first. */
  cursor: string | null;
  /** Page number, from 1. */
  number: number;
  toFirst(): void;
  toPrevious: (() => void) | null;
  to(next: string): void;
}

export function usePages(): Pages {
  /** The cursors of the current page and all before it. */
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
  /** The cursor of the next page, if any. */
  next: string | null | undefined;
  /** For instance "1–50 of 1,000". Without a total, pages are numbered; a single page shows nothing. */
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
