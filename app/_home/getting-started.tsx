"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Check, Circle } from "lucide-react";
import Link from "next/link";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { cx } from "../_components/classes.ts";
import { Card, Skeleton } from "../_components/surface.tsx";
import { FirstRequest } from "../_developers/quickstart.tsx";

interface Step {
  title: string;
  words: string;
  href: string;
  isDone: boolean;
  /** Its request is shown as soon as it is the next one. */
  isRequest?: boolean;
}

interface Props {
  /** How many there are; undefined while that is being read. */
  events: number | undefined;
  missions: number | undefined;
}

/** The way from nothing to the first reward; gone once it is walked. */
export function GettingStarted({ events, missions }: Props) {
  const { scope, project, environment, href } = useWhere();
  const { data: reception } = useQuery({
    ...orpc.events.reception.queryOptions({ input: scope }),
    refetchInterval: ({ state }) => (state.data?.hasReceived ? false : 2_000),
  });
  if (missions === undefined || events === undefined || reception === undefined) return <Skeleton className="h-36 rounded-xl" />;
  const send = {
    title: "Send the first event",
    href: href("/developers/quickstart"),
    isDone: reception.hasReceived,
    isRequest: true,
  };
  const steps: Step[] =
    environment === "live"
      ? [
          {
            title: "Promote what you tried",
            words: "Choose what Live is to have of the Sandbox: missions, the shop, and whatever they need comes along.",
            href: `/dashboard/${project}/sandbox/promote`,
            isDone: missions > 0,
          },
          { ...send, words: "Make an API key for Live, give it to your backend, and see its first event arrive." },
        ]
      : [
          {
            title: "Say what players do",
            words: "Define the events that your backend sends, such as an order or a visit, with their properties.",
            href: href("/events/new"),
            isDone: events > 0,
          },
          { ...send, words: "Make an API key, put it into this request in place of the dots, and run it in a shell." },
          {
            title: "Reward it with a mission",
            words: "Choose an event, how often it has to happen, and what players get for it.",
            href: href("/missions/new"),
            isDone: missions > 0,
          },
        ];
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
