import { instantInWords } from "#server/model/kernel/dates.ts";
import { Check, Gift, Minus, X } from "lucide-react";
import { useState } from "react";
import { type Trial, type TrialLine, type TrialStep, useWhere } from "#web/client/service.tsx";
import { cx } from "../../components/classes.ts";
import { choices, Segmented } from "../../components/choice.tsx";
import { Badge, DefinitionItem, Notes, Notice } from "../../components/surface.tsx";
import { ProblemList } from "../../components/problems.tsx";
import type { Problem } from "../document/pointers.ts";
import { asLine } from "../document/form-words.ts";

/** A trial's result: a sentence with figures, eligibility, and the steps. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { audience, summary, steps, rewards, notes } = trial;
  return (
    <div className="flex flex-col gap-5 border-t border-line pt-4">
      <div role="status">
        <Notice tone={summary.tone === "neutral" ? "info" : summary.tone} title={summary.headline}>
          {rewards.length > 0 && `Granted: ${rewards.join(", ")}.`}
        </Notice>
      </div>
      {summary.items.length > 0 && (
        <dl className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">
          {summary.items.map(({ label, value, fraction, isDone }, at) => (
            <DefinitionItem key={at} term={label}>
              <span className="flex items-center gap-1.5 tabular-nums">
                {isDone !== null && <OutcomeSign isMet={isDone ? true : null} />}
                {value}
              </span>
              {fraction !== null && <FractionBar fraction={fraction} />}
            </DefinitionItem>
          ))}
        </dl>
      )}
      {audience !== null && (
        <section className="flex flex-col gap-2">
          <h3 className="text-sm font-semibold">
            {audience.qualifies ? "The player is in the audience" : "The player is not in the audience"}
          </h3>
          <Lines lines={audience.lines} />
        </section>
      )}
      <TrialSteps steps={steps} />
      <Notes notes={notes} />
    </div>
  );
}

const FractionBar = ({ fraction }: { fraction: number }) => (
  <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line-strong">
    <div className="h-full rounded-full bg-accent-fill" style={{ width: `${Math.min(1, Math.max(0, fraction)) * 100}%` }} />
  </div>
);

type Shown = "all" | TrialStep["outcome"];

function TrialSteps({ steps }: { steps: readonly TrialStep[] }) {
  const [shown, setShown] = useState<Shown>("all");
  const count = (outcome: TrialStep["outcome"]) => steps.filter((step) => step.outcome === outcome).length;
  const visible = shown === "all" ? steps : steps.filter(({ outcome }) => outcome === shown);
  if (steps.length === 0) return <p className="text-quiet">No matching events.</p>;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="flex-1 text-sm font-semibold">Step by step</h3>
        {steps.length > 3 && (
          <Segmented<Shown>
            label="Steps to show"
            value={shown}
            onValueChange={setShown}
            options={choices({
              all: `All ${steps.length}`,
              Counts: `Counts ${count("Counts")}`,
              DoesNotCount: `Does not ${count("DoesNotCount")}`,
            })}
          />
        )}
      </div>
      <ol className="flex flex-col" aria-label="Step by step">
        {visible.map((step, at) => (
          <Step key={at} step={step} />
        ))}
      </ol>
    </section>
  );
}

const OUTCOMES: Record<TrialStep["outcome"], { words: string; isMet: boolean | null }> = {
  Counts: { words: "Counts", isMet: true },
  DoesNotCount: { words: "Does not count", isMet: false },
  Neutral: { words: "", isMet: null },
};

function Step({ step }: { step: TrialStep }) {
  const { timeZone } = useWhere();
  const { words, isMet } = OUTCOMES[step.outcome];
  return (
    <li className="flex gap-3 border-b border-line py-2.5 last:border-b-0">
      <OutcomeSign isMet={isMet} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{step.title}</span>
          {words !== "" && <span className={cx("text-xs", isMet ? "text-good" : "text-quiet")}>{words}</span>}
          <time dateTime={step.occurredAt} className="ml-auto text-xs text-quiet tabular-nums">
            {instantInWords(step.occurredAt, timeZone)}
          </time>
        </div>
        {step.details.length > 0 && (
          <p className="flex flex-wrap gap-x-3 text-xs">
            {step.details.map(({ name, value }) => (
              <span key={name} className="wrap-anywhere">
                <span className="text-quiet">{name}</span> {value}
              </span>
            ))}
          </p>
        )}
        <Lines lines={step.lines} isPlain />
        <RewardBadges rewards={step.rewards} />
      </div>
    </li>
  );
}

export const RewardBadges = ({ rewards }: { rewards: readonly string[] }) =>
  rewards.length > 0 && (
    <div className="mt-1.5 flex flex-wrap gap-1.5">
      {rewards.map((reward, at) => (
        <Badge key={at} tone="good">
          <Gift />
          {reward}
        </Badge>
      ))}
    </div>
  );

/** Lines with check marks or crosses; a one-line step has only its own. */
export function Lines({ lines, isPlain = false }: { lines: readonly TrialLine[]; isPlain?: boolean }) {
  const hasSigns = !isPlain || lines.length > 1;
  return (
    <ul className="flex flex-col gap-0.5">
      {lines.map(({ isMet, text, depth }, at) => (
        <li key={at} className="flex items-start gap-1.5 text-[0.8125rem] text-quiet" style={{ paddingInlineStart: `${depth}rem` }}>
          {hasSigns && <OutcomeSign isMet={isMet} className="mt-0.5" />}
          <span className="min-w-0 wrap-anywhere first-letter:uppercase">{text}</span>
        </li>
      ))}
    </ul>
  );
}

function OutcomeSign({ isMet, className }: { isMet: boolean | null; className?: string }) {
  const look = cx("size-4 shrink-0", className);
  if (isMet === null) return <Minus className={cx(look, "text-faint")} />;
  return isMet ? (
    <Check role="img" aria-label="yes" className={cx(look, "text-good")} />
  ) : (
    <X role="img" aria-label="no" className={cx(look, "text-bad")} />
  );
}

/** Problems to fix in the form before a trial. */
export const NotYet = ({ problems }: { problems: readonly Problem[] }) => (
  <ProblemList
    problems={problems.map((problem) => ({ pointer: "", message: asLine(problem) }))}
    title={problems.length === 1 ? "Fix this problem in the form first" : "Fix these problems in the form first"}
  />
);
