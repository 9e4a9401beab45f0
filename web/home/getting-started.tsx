"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Check, Circle } from "lucide-react";
import Link from "next/link";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { cx } from "../components/classes.ts";
import { Card, Skeleton } from "../components/surface.tsx";
import { FirstRequest } from "../developers/quickstart.tsx";
import { firstSteps, type Step } from "./steps.ts";

interface Props {
  /** The number of items; undefined while loading. */
  events: number | undefined;
  missions: number | undefined;
}

/** Onboarding steps to the first reward; hidden once completed. */
export function GettingStarted({ events, missions }: Props) {
  const { scope } = useWhere();
  const { data: reception } = useQuery({
    ...orpc.events.reception.queryOptions({ input: scope }),
    refetchInterval: ({ state }) => (state.data?.hasReceived ? false : 2_000),
  });
  if (missions === undefined || events === undefined || reception === undefined) return <Skeleton className="h-36 rounded-xl" />;
  const steps = firstSteps(scope, { events, missions, hasReceived: reception.hasReceived });
  if (steps.every(({ isDone }) => isDone)) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card title="Getting started" padded={false}>
      <ol>
        {steps.map((step, at) => (
          <li key={step.title} className="border-b border-line last:border-b-0">
            <StepLink step={step} number={at + 1} isNext={step === next} />
            {step === next && step.isRequest && (
              <div className="px-4 pb-4 sm:pl-11">
                <FirstRequest apiKey={null} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

const StepLink = ({ step: { title, words, href, isDone }, number, isNext }: { step: Step; number: number; isNext: boolean }) => (
  <Link href={href} className="group flex items-start gap-3 px-4 py-3 hover:bg-raised">
    {isDone ? (
      <Check className="mt-0.5 size-4 shrink-0 text-good" aria-label="Done" />
    ) : (
      <Circle className={cx("mt-0.5 size-4 shrink-0", isNext ? "text-accent" : "text-faint")} aria-label="To do" />
    )}
    <span className="min-w-0 flex-1">
      <span className={cx("block font-medium", isDone && "text-quiet line-through decoration-line-strong")}>
        {number}. {title}
      </span>
      {!isDone && <span className="block text-[0.8125rem] text-quiet">{words}</span>}
    </span>
    <ArrowRight className="mt-0.5 size-4 text-faint group-hover:text-ink" aria-hidden />
  </Link>
);
