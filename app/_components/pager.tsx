"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface PagerProps {
  /** What is shown, for instance "1–50 of 1,000". */
  summary: ReactNode;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

export function Pager({ summary, onPrevious, onNext }: PagerProps) {
  return (
    <div className="flex items-center gap-2 border-t border-line px-4 py-2 text-[0.8125rem] text-quiet">
      <span className="min-w-0 flex-1 tabular-nums">{summary}</span>
      {(onPrevious !== null || onNext !== null) && (
        <>
          <Button size="sm" disabled={onPrevious === null} onClick={() => onPrevious?.()} icon={<ChevronLeft aria-hidden />}>
            Previous
          </Button>
          <Button size="sm" disabled={onNext === null} onClick={() => onNext?.()}>
            Next
            <ChevronRight aria-hidden />
          </Button>
        </>
      )}
    </div>
  );
}

interface TrailPagerProps {
  /** The cursors of the pages before this one, and its own at the end. */
  trail: readonly (string | null)[];
  onTrailChange(trail: (string | null)[]): void;
  /** The cursor of the page after this one, where there is one. */
  next: string | null | undefined;
}

/** The pager of a list whose length nobody counts; nothing where all of it stands on one page. */
export function TrailPager({ trail, onTrailChange, next }: TrailPagerProps) {
  if (trail.length === 1 && !next) return null;
  return (
    <Pager
      summary={`Page ${trail.length}`}
      onPrevious={trail.length > 1 ? () => onTrailChange(trail.slice(0, -1)) : null}
      onNext={next ? () => onTrailChange([...trail, next]) : null}
    />
  );
}
