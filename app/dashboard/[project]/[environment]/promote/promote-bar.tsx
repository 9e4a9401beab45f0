"use client";

import { ArrowUpFromLine, RefreshCw } from "lucide-react";
import { useState } from "react";
import { plural } from "../../../../../server/kernel/thousands.ts";
import { ENVIRONMENT_NAMES, otherOf } from "../../../../_components/environment-badge.tsx";
import { Button } from "../../../../_components/button.tsx";
import { ConfirmDialog } from "../../../../_components/overlay.tsx";
import { useWhere } from "../../../../_client/where.tsx";
import type { Divergence } from "./chosen.ts";
import { countWords } from "./names.ts";

interface BarProps {
  /** Everything that would be taken: what was chosen, and what comes along. */
  taken: readonly Divergence[];
  along: number;
  /** What is wrong with it, in words. */
  problems: readonly string[];
  /** The environments have changed since they were compared. */
  isStale: boolean;
  isChecking: boolean;
  failure: string | null;
  onLookAgain(): void;
  onConfirm(): Promise<void>;
}

/** Stays in sight: how much is chosen, whether it would work, and the button that does it. */
export function PromoteBar({ taken, along, problems, isStale, isChecking, failure, onLookAgain, onConfirm }: BarProps) {
  const { environment } = useWhere();
  const [isAsking, setAsking] = useState(false);
  const to = otherOf(environment);
  const there = ENVIRONMENT_NAMES[to];
  const isReady = taken.length > 0 && problems.length === 0 && !isStale && !isChecking && failure === null;
  return (
    <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-overlay px-4 py-3 shadow-overlay">
      <div className="min-w-0 flex-1 basis-56" role="status">
        <p className="font-medium">{taken.length === 0 ? "Nothing selected" : chosenWords(taken.length, along)}</p>
        <p className={problems.length > 0 || isStale || failure ? "text-[0.8125rem] text-bad" : "text-[0.8125rem] text-quiet"}>
          {failure ?? statusWords({ taken, problems, isStale, isChecking, there })}
        </p>
      </div>
      {isStale ? (
        <Button icon={<RefreshCw aria-hidden />} onClick={onLookAgain}>
          Refresh
        </Button>
      ) : (
        <Button variant="primary" icon={<ArrowUpFromLine aria-hidden />} disabled={!isReady} onClick={() => setAsking(true)}>
          Promote to {there}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Promote to ${there}?`}
        confirmLabel={`Promote ${taken.length} to ${there}`}
        isDanger={taken.some(({ sign }) => sign === "-")}
        onConfirm={onConfirm}
      >
        <p>
          In {there}: {countWords(taken)}. {to === "live" && "Players see it from their next request."}
        </p>
      </ConfirmDialog>
    </div>
  );
}

const chosenWords = (all: number, along: number): string =>
  `${all - along} selected${along === 0 ? "" : ` + ${plural(along, "dependency", "dependencies")}`}`;

interface Status {
  taken: readonly Divergence[];
  problems: readonly string[];
  isStale: boolean;
  isChecking: boolean;
  there: string;
}

function statusWords({ taken, problems, isStale, isChecking, there }: Status): string {
  if (taken.length === 0) return "Select changes to promote. What they need is added.";
  if (isStale) return "Definitions have changed since you opened this page.";
  if (isChecking) return "Checking…";
  if (problems.length > 0) {
    return `Fix ${problems.length === 1 ? "1 problem" : `${problems.length} problems`} first: ${problems[0]}`;
  }
  return `Ready. In ${there}: ${countWords(taken)}.`;
}
