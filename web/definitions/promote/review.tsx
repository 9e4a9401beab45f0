"use client";

import { ArrowLeft, ArrowUpFromLine, RefreshCw } from "lucide-react";
import { useEffect, useRef } from "react";
import { plural } from "#server/model/kernel/thousands.ts";
import { useWhere } from "../../client/where.tsx";
import { ActionBar } from "../../components/action-bar.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { ChangeDetail, ChangeTitle } from "./change-detail.tsx";
import { nameOf, type Taken } from "./chosen.ts";
import { directionFrom } from "./direction.ts";
import { countWords, kindOne, subjectTitle } from "./names.ts";
import type { Promotion } from "./use-promotion.ts";

interface ReviewProps {
  taken: readonly Taken[];
  promotion: Promotion;
  onBack(): void;
  onConfirm(): Promise<void>;
}

/** Lists everything that would be done, and why, above the confirmation button. */
export function Review({ taken, promotion, onBack, onConfirm }: ReviewProps) {
  const { environment } = useWhere();
  const { to, verb } = directionFrom(environment);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, []);
  const { problems, isStale, isChecking, failure, isWorking, refresh } = promotion;
  const isOff = ({ divergence }: Taken) => divergence.sign === "-";
  const groups: [title: string, ones: Taken[]][] = [
    [`Switched off in ${to}`, taken.filter(isOff)],
    ["Selected", taken.filter((one) => one.isChosen && !isOff(one))],
    ["Added because they are needed", taken.filter(({ isChosen }) => !isChosen)],
  ];
  const isRefused = problems.length > 0 || isStale || failure !== null;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
          Review {plural(taken.length, "change")} to {to}
        </h2>
        <p className="text-quiet">
          {countWords(taken.map(({ divergence }) => divergence))}. {environment === "sandbox" && "Players see it from their next request."}
        </p>
      </div>
      {groups.map(
        ([title, ones]) =>
          ones.length > 0 && (
            <Card key={title} title={title} description={plural(ones.length, "definition")} padded={false}>
              <ul aria-label={title} className="divide-y divide-line">
                {ones.map((one) => (
                  <li key={nameOf(one.divergence)} className="px-4 py-2.5">
                    <ChangeTitle divergence={one.divergence}>
                      <span className="text-xs text-quiet">{kindOne(one.divergence.kind)}</span>
                    </ChangeTitle>
                    {one.neededBy.length > 0 && !one.isChosen && (
                      <p className="text-[0.8125rem] text-quiet wrap-anywhere">
                        Needed by {one.neededBy.slice(0, USERS_SHOWN).map(subjectTitle).join(", ")}
                        {one.neededBy.length > USERS_SHOWN && ` and ${one.neededBy.length - USERS_SHOWN} more`}
                      </p>
                    )}
                    <ChangeDetail divergence={one.divergence} isOpen={one.divergence.sign === "~"} />
                  </li>
                ))}
              </ul>
            </Card>
          ),
      )}
      {isRefused && (
        <Notice
          tone="bad"
          title={`Nothing was ${directionFrom(environment).done}`}
          action={
            isStale && (
              <Button size="sm" icon={<RefreshCw aria-hidden />} onClick={refresh}>
                Refresh
              </Button>
            )
          }
        >
          {failure ?? (isStale ? "Definitions have changed since you opened this page." : <Problems problems={problems} />)}
        </Notice>
      )}
      <ActionBar>
        <Button icon={<ArrowLeft aria-hidden />} onClick={onBack} className="mr-auto">
          Back
        </Button>
        <Button
          variant={groups[0]![1].length > 0 ? "danger" : "primary"}
          icon={<ArrowUpFromLine aria-hidden />}
          isPending={isWorking}
          disabled={isRefused || isChecking}
          onClick={() => void onConfirm()}
        >
          {verb} {taken.length} to {to}
        </Button>
      </ActionBar>
    </div>
  );
}

const Problems = ({ problems }: { problems: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {problems.map((problem) => (
      <li key={problem}>{problem}</li>
    ))}
  </ul>
);

const USERS_SHOWN = 5;
