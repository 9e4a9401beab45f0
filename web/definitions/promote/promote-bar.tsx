"use client";

import { ArrowRight, RefreshCw } from "lucide-react";
import { plural } from "#server/model/kernel/thousands.ts";
import { useWhere } from "../../client/where.tsx";
import { ActionBar } from "../../components/action-bar.tsx";
import { Button } from "../../components/button.tsx";
import type { Taken } from "./chosen.ts";
import { directionFrom } from "./direction.ts";
import { countWords } from "./names.ts";
import type { Promotion } from "./use-promotion.ts";

interface BarProps {
  taken: readonly Taken[];
  promotion: Promotion;
  onReview(): void;
  onClear(): void;
}

/** Sticky bar: selection, validity, and the button to the review. */
export function PromoteBar({ taken, promotion, onReview, onClear }: BarProps) {
  const { environment } = useWhere();
  const { to } = directionFrom(environment);
  const { problems, isStale, isChecking, failure, refresh } = promotion;
  const along = taken.filter(({ isChosen }) => !isChosen).length;
  const isReady = taken.length > 0 && problems.length === 0 && !isStale && !isChecking && failure === null;
  return (
    <ActionBar>
      <div className="min-w-0 flex-1 basis-56" role="status">
        <p className="font-medium">{taken.length === 0 ? "Nothing selected" : chosenWords(taken.length, along)}</p>
        <p
          className={problems.length > 0 || isStale || failure ? "text-[0.8125rem] text-bad wrap-anywhere" : "text-[0.8125rem] text-quiet"}
        >
          {failure ?? statusWords(taken, promotion, to)}
        </p>
      </div>
      {taken.length > 0 && (
        <Button variant="ghost" onClick={onClear}>
          Clear selection
        </Button>
      )}
      {isStale ? (
        <Button icon={<RefreshCw aria-hidden />} onClick={refresh}>
          Refresh
        </Button>
      ) : (
        <Button variant="primary" icon={<ArrowRight aria-hidden />} disabled={!isReady} onClick={onReview}>
          {taken.length === 0 ? "Review" : `Review ${plural(taken.length, "change")}`}
        </Button>
      )}
    </ActionBar>
  );
}

const chosenWords = (all: number, along: number): string =>
  `${all - along} selected${along === 0 ? "" : ` + ${plural(along, "dependency", "dependencies")}`}`;

function statusWords(taken: readonly Taken[], { problems, isStale, isChecking }: Promotion, to: string): string {
  if (taken.length === 0) return "Select changes to review. What they need is added.";
  if (isStale) return "Definitions have changed since you opened this page.";
  if (isChecking) return "Checking…";
  if (problems.length > 0) {
    return `Fix ${problems.length === 1 ? "1 problem" : `${problems.length} problems`} first: ${problems[0]}`;
  }
  return `Ready. In ${to}: ${countWords(taken.map(({ divergence }) => divergence))}.`;
}
