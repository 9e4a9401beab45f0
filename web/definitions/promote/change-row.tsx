"use client";

import { useWhere } from "../../client/where.tsx";
import { Checkbox } from "../../components/choice.tsx";
import { cx } from "../../components/classes.ts";
import { Badge } from "../../components/surface.tsx";
import { ChangeDetail, ChangeTitle } from "./change-detail.tsx";
import type { Divergence } from "./chosen.ts";
import { subjectTitle } from "./names.ts";
import { neededWords } from "./needed.ts";

interface RowProps {
  divergence: Divergence;
  isChosen: boolean;
  /** The selected definitions that require it. */
  neededBy: readonly Divergence[];
  problems: readonly string[];
  onChoose(isChosen: boolean): void;
}

/** One different definition: whether it is included, why, and its difference. */
export function ChangeRow({ divergence, isChosen, neededBy, problems, onChoose }: RowProps) {
  const { can } = useWhere();
  const isNeeded = neededBy.length > 0;
  return (
    <li className={cx("flex items-start gap-2.5 px-4 py-2", (isChosen || isNeeded) && "bg-accent-soft/40")}>
      {can("Editor") && (
        <Checkbox
          checked={isChosen || isNeeded}
          disabled={isNeeded && !isChosen}
          onCheckedChange={onChoose}
          label={`Select ${subjectTitle(divergence)}`}
          isLabelHidden
        />
      )}
      <div className="min-w-0 flex-1">
        <ChangeTitle divergence={divergence}>
          {isNeeded && !isChosen && <Badge tone="info">Needed by {neededWords(neededBy)}</Badge>}
        </ChangeTitle>
        {problems.map((problem) => (
          <p key={problem} role="alert" className="mt-1 text-[0.8125rem] text-bad wrap-anywhere">
            {problem}
          </p>
        ))}
        <ChangeDetail divergence={divergence} />
      </div>
    </li>
  );
}
