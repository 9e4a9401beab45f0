import { ArrowLeft, ArrowRight, ArrowUpFromLine, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { plural } from "#server/model/kernel/thousands.ts";
import { AskDialog, type RequestTexts } from "../../change-requests/ask-dialog.tsx";
import { useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Notice } from "../../components/surface.tsx";
import { ChangeDetail, ChangeTitle } from "./change-detail.tsx";
import { choiceKey, type Included } from "./chosen.ts";
import type { Promotion } from "./use-promotion.ts";
import { countWords, directionFrom, kindOne, subjectTitle } from "./names.ts";

interface ReviewProps {
  included: readonly Included[];
  promotion: Promotion;
  onBack(): void;
  onConfirm(request?: RequestTexts): Promise<void>;
}

/** Lists everything that would be done, and why, above the confirmation button. */
export function Review({ included, promotion, onBack, onConfirm }: ReviewProps) {
  const { environment, approvals } = useWhere();
  const { to, verb } = directionFrom(environment);
  const isAsked = approvals.isOn && environment === "sandbox";
  const [isAsking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, []);
  const { problems, isStale, isChecking, failure, isWorking, refresh } = promotion;
  const isOff = ({ divergence }: Included) => divergence.sign === "-";
  const groups: [title: string, ones: Included[]][] = [
    [`Switched off in ${to}`, included.filter(isOff)],
    ["Selected", included.filter((one) => one.isChosen && !isOff(one))],
    ["Added because they are needed", included.filter(({ isChosen }) => !isChosen)],
  ];
  const isRefused = problems.length > 0 || isStale;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
          Review {plural(included.length, "change")} to {to}
        </h2>
        <p className="text-quiet">
          {countWords(included.map(({ divergence }) => divergence))}.{" "}
          {environment === "sandbox" &&
            (isAsked ? "Another person approves it first." : "Players see the changes from their next request.")}
        </p>
      </div>
      {groups.map(
        ([title, ones]) =>
          ones.length > 0 && (
            <Card key={title} title={title} description={plural(ones.length, "definition")} padded={false}>
              <ul aria-label={title} className="divide-y divide-line">
                {ones.map((one) => (
                  <li key={choiceKey(one.divergence)} className="px-4 py-2.5">
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
      {(isRefused || failure !== null) && (
        <Notice
          tone="bad"
          title={`Nothing was ${directionFrom(environment).done}`}
          action={
            isStale && (
              <Button size="sm" icon={<RefreshCw />} onClick={refresh}>
                Refresh
              </Button>
            )
          }
        >
          {failure ?? (isStale ? "Definitions have changed since you opened this page." : <Problems problems={problems} />)}
        </Notice>
      )}
      <ActionBar>
        <Button icon={<ArrowLeft />} onClick={onBack} className="mr-auto">
          Back
        </Button>
        <Button
          variant={groups[0]![1].length > 0 ? "danger" : "primary"}
          icon={<ArrowUpFromLine />}
          isPending={isWorking}
          isBlocked={isRefused || isChecking}
          onClick={() => (isAsked ? setAsking(true) : void onConfirm())}
        >
          {isAsked ? "Request promotion…" : `${verb} ${included.length} to ${to}`}
        </Button>
      </ActionBar>
      {isAsked && (
        <AskDialog
          open={isAsking}
          onClose={() => setAsking(false)}
          onSubmit={(request) => onConfirm(request).finally(() => setAsking(false))}
        />
      )}
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

interface BarProps {
  included: readonly Included[];
  promotion: Promotion;
  onReview(): void;
  onClear(): void;
}

/** Sticky bar: selection, validity, and the button to the review. */
export function PromoteBar({ included, promotion, onReview, onClear }: BarProps) {
  const { environment } = useWhere();
  const { to } = directionFrom(environment);
  const { problems, isStale, isChecking, failure, refresh } = promotion;
  const dependencies = included.filter(({ isChosen }) => !isChosen).length;
  const isReady = included.length > 0 && problems.length === 0 && !isStale && !isChecking;
  return (
    <ActionBar>
      <div className="min-w-0 flex-1 basis-56" role="status">
        <p className="font-medium">{included.length === 0 ? "Nothing selected" : chosenWords(included.length, dependencies)}</p>
        <p
          className={problems.length > 0 || isStale || failure ? "text-[0.8125rem] text-bad wrap-anywhere" : "text-[0.8125rem] text-quiet"}
        >
          {failure ?? statusWords(included, promotion, to)}
        </p>
      </div>
      {included.length > 0 && (
        <Button variant="ghost" onClick={onClear}>
          Clear selection
        </Button>
      )}
      {isStale ? (
        <Button icon={<RefreshCw />} onClick={refresh}>
          Refresh
        </Button>
      ) : (
        <Button variant="primary" icon={<ArrowRight />} disabled={!isReady} onClick={onReview}>
          {included.length === 0 ? "Review" : `Review ${plural(included.length, "change")}`}
        </Button>
      )}
    </ActionBar>
  );
}

const chosenWords = (all: number, dependencies: number): string =>
  `${all - dependencies} selected${dependencies === 0 ? "" : ` + ${plural(dependencies, "dependency", "dependencies")}`}`;

function statusWords(included: readonly Included[], { problems, isStale, isChecking }: Promotion, to: string): string {
  if (included.length === 0) return "Select changes to review. What they need is added.";
  if (isStale) return "Definitions have changed since you opened this page.";
  if (isChecking) return "Checking…";
  if (problems.length > 0) return `Fix ${plural(problems.length, "problem")} first: ${problems[0]}`;
  return `Ready. In ${to}: ${countWords(included.map(({ divergence }) => divergence))}.`;
}

/** A sticky bar at the bottom of the window with a page's main action. Toasts stay above it (toast-host.tsx). */
const ActionBar = ({ children }: { children: ReactNode }) => (
  <div
    data-action-bar
    className="sticky bottom-3 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-overlay px-4 py-3 shadow-overlay"
  >
    {children}
  </div>
);
