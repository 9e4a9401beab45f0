"use client";

import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useId, useState } from "react";
import { ENVIRONMENT_NAMES, otherOf } from "../../../../_components/environment-badge.tsx";
import { Checkbox } from "../../../../_components/choice.tsx";
import { cx } from "../../../../_components/classes.ts";
import { Badge, type Tone } from "../../../../_components/surface.tsx";
import { definitionPath } from "../../../../authoring/kinds/index.ts";
import { useWhere } from "../../../../_client/where.tsx";
import type { Divergence } from "./chosen.ts";
import { subjectTitle } from "./names.ts";
import { Places } from "./places.tsx";

interface RowProps {
  divergence: Divergence;
  isChosen: boolean;
  /** Those of the chosen that cannot do without it. */
  neededBy: readonly Divergence[];
  problems: readonly string[];
  onChoose(isChosen: boolean): void;
}

/** One definition that differs: whether it is taken, why, and field by field how. */
export function DivergenceRow({ divergence, isChosen, neededBy, problems, onChoose }: RowProps) {
  const { can } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { name, key, differences, sign } = divergence;
  const isNeeded = neededBy.length > 0;
  return (
    <li className={cx("px-4 py-2.5", (isChosen || isNeeded) && "bg-accent-soft/40")}>
      <div className="flex items-start gap-2.5">
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
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Title divergence={divergence} />
            {name !== key && divergence.kind !== "settings" && <code className="font-mono text-xs text-quiet wrap-anywhere">{key}</code>}
            <SignBadge sign={sign} />
            {isNeeded && !isChosen && <Badge tone="info">Needed by {neededWords(neededBy)}</Badge>}
          </div>
          {problems.map((problem) => (
            <p key={problem} role="alert" className="mt-1 text-[0.8125rem] text-bad wrap-anywhere">
              {problem}
            </p>
          ))}
        </div>
        {sign !== "-" && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="-my-1 flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-[0.8125rem] text-quiet hover:bg-sunken hover:text-ink"
          >
            <ChevronRight className={cx("size-4 transition-transform", isOpen && "rotate-90")} aria-hidden />
            {differences.length === 1 ? "1 field" : `${differences.length} fields`}
            <span className="sr-only"> of {subjectTitle(divergence)}</span>
          </button>
        )}
      </div>
      <div id={id} hidden={!isOpen} className={cx("mt-2 rounded-lg border border-line bg-paper px-3 py-1", can("Editor") && "sm:ml-6.5")}>
        {isOpen && <Places differences={differences} sign={sign} />}
      </div>
    </li>
  );
}

/** Leads to the definition, in the environment that has it. */
function Title({ divergence: { kind, key, name, sign } }: { divergence: Divergence }) {
  const { project, environment } = useWhere();
  const place = `/dashboard/${project}/${sign === "-" ? otherOf(environment) : environment}`;
  const href = kind === "settings" ? `${place}/settings` : place + definitionPath(kind, key);
  return (
    <Link href={href} className="min-w-0 rounded text-sm font-medium wrap-anywhere hover:underline">
      {name}
    </Link>
  );
}

export function SignBadge({ sign }: Pick<Divergence, "sign">) {
  const { environment } = useWhere();
  const words: Record<Divergence["sign"], [Tone, string]> = {
    "+": ["good", "New"],
    "~": ["warn", "Changed"],
    "-": ["bad", `Only in ${ENVIRONMENT_NAMES[otherOf(environment)]}: would be switched off`],
  };
  const [tone, text] = words[sign];
  return <Badge tone={tone}>{text}</Badge>;
}

const neededWords = ([first, ...others]: readonly Divergence[]): string =>
  first === undefined ? "" : `${first.name}${others.length === 0 ? "" : ` and ${others.length} more`}`;
