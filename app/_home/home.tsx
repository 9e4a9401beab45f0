"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Check, Circle } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { Kind } from "../../server/definitions/contract.ts";
import { KIND_WORDS } from "../_client/kinds.tsx";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { cx } from "../_components/classes.ts";
import { Page } from "../_components/page.tsx";
import { Badge, Card, Notice, Skeleton } from "../_components/surface.tsx";
import { exactly } from "../_components/time.tsx";
import { number } from "../_lists/columns.tsx";
import { RecentChanges } from "./recent-changes.tsx";

const SHOWN: Kind[] = ["missions", "streaks", "leaderboards", "marketplaceItems", "segments", "events", "metrics", "attributes"];

/** Where an environment stands: what it defines, whether events come in, what was changed last, and what to do next. */
export function Home() {
  const { scope, environment, projectName, timeZone, now, isClockMoved } = useWhere();
  const { data: catalogue } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const counts = Object.fromEntries(
    SHOWN.map((kind) => [kind, catalogue?.[kind as "missions"].filter(({ active }) => active).length]),
  ) as Record<Kind, number | undefined>;
  const isLive = environment === "live";
  return (
    <Page
      title={projectName}
      aside={<Badge tone={isLive ? "live" : "sandbox"}>{isLive ? "Live" : "Sandbox"}</Badge>}
      description={
        isLive
          ? "What your real players see. Try changes in the Sandbox, then promote them."
          : "A place to try everything, with players, keys and a clock of its own."
      }
    >
      <div className="flex flex-col gap-4">
        {!isLive && isClockMoved && (
          <Notice tone="sandbox" title={`The Sandbox clock was moved: it is ${exactly(now, timeZone)} here`}>
            Everything that goes by time goes by this clock. It is moved in the settings, and runs on from there.
          </Notice>
        )}
        <GettingStarted counts={counts} />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {SHOWN.map((kind) => (
            <KindCard key={kind} kind={kind} count={counts[kind]} />
          ))}
        </div>
        <RecentChanges />
      </div>
    </Page>
  );
}

function KindCard({ kind, count }: { kind: Kind; count: number | undefined }) {
  const { href } = useWhere();
  const { path, many, icon: Icon } = KIND_WORDS[kind];
  return (
    <Link href={href(`/${path}`)} className="group rounded-xl border border-line bg-paper p-3.5 hover:border-line-strong hover:bg-raised">
      <span className="flex items-center gap-2 text-[0.8125rem] text-quiet">
        <Icon className="size-4" aria-hidden />
        <span className="truncate">{many}</span>
      </span>
      <span className="mt-1 block text-xl font-semibold tabular-nums">
        {count === undefined ? <Skeleton className="h-7 w-10" /> : number(count)}
      </span>
    </Link>
  );
}

interface Step {
  title: string;
  words: ReactNode;
  href: string;
  isDone: boolean;
}

/** The way from nothing to the first reward; gone once it is walked. */
function GettingStarted({ counts }: { counts: Record<Kind, number | undefined> }) {
  const { scope, href } = useWhere();
  const { data: reception } = useQuery({
    ...orpc.events.reception.queryOptions({ input: scope }),
    refetchInterval: ({ state }) => (state.data?.hasReceived ? false : 2_000),
  });
  if (counts.missions === undefined || reception === undefined) return <Skeleton className="h-36 rounded-xl" />;
  const steps: Step[] = [
    {
      title: "Say what players do",
      words: "Define the events that your backend sends, such as an order or a visit, with their properties.",
      href: href("/events/new"),
      isDone: (counts.events ?? 0) > 0,
    },
    {
      title: "Send the first event",
      words: "Make an API key and send an event with the request that is ready for you there.",
      href: href("/developers/quickstart"),
      isDone: reception.hasReceived,
    },
    {
      title: "Reward it with a mission",
      words: "Choose an event, how often it has to happen, and what players get for it.",
      href: href("/missions/new"),
      isDone: (counts.missions ?? 0) > 0,
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Card title="Getting started" padded={false}>
      <ol>
        {steps.map((step, at) => (
          <li key={step.title} className="border-b border-line last:border-b-0">
            <Link href={step.href} className="group flex items-start gap-3 px-4 py-3 hover:bg-raised">
              {step.isDone ? (
                <Check className="mt-0.5 size-4 shrink-0 text-good" aria-label="Done" />
              ) : (
                <Circle className={cx("mt-0.5 size-4 shrink-0", step === next ? "text-accent" : "text-faint")} aria-label="To do" />
              )}
              <span className="min-w-0 flex-1">
                <span className={cx("block font-medium", step.isDone && "text-quiet line-through decoration-line-strong")}>
                  {at + 1}. {step.title}
                </span>
                {!step.isDone && <span className="block text-[0.8125rem] text-quiet">{step.words}</span>}
              </span>
              <ArrowRight className="mt-0.5 size-4 text-faint group-hover:text-ink" aria-hidden />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
