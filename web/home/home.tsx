"use client";

import { ArrowRight, Check, Circle } from "lucide-react";
import Link from "next/link";
import { entriesOf } from "../definitions/kinds/index.ts";
import { type AnalyticsReports, type DataImport, orpc, useRead, useWhere } from "../client/service.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { PageLink } from "../components/page-link.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { ScheduledChanges } from "../definitions/schedule/scheduled-changes.tsx";
import { Attention, StaleDefinitions } from "./attention.tsx";
import { Notices } from "./notices.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import { LinkButton } from "../components/button.tsx";
import { Card, Notice, Skeleton } from "../components/surface.tsx";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { ChartCard } from "../analytics/charts/chart-card.tsx";
import type { ChartData } from "../analytics/charts/data.ts";
import { Figures } from "../analytics/figures.tsx";
import { Progress } from "../analytics/report.tsx";
import { cx } from "../components/classes.ts";
import { FirstRequests } from "../developers/quickstart.tsx";
import { firstSteps, type Step } from "./steps.ts";

const EVERY_MS = 30_000;

/** An example to start from: its title, its purpose and its form. */
export interface Starter {
  title: string;
  /** "Mission". */
  noun: string;
  goodFor: string;
  path: string;
}

/** An environment's home: today's figures, items that need attention, notifications, and recent changes; onboarding in a new one. */
export function Home({ starters }: { starters: readonly Starter[] }) {
  const { environment, projectName, can } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const { data: reception } = useRead(orpc.events.reception);
  const overview = useRead(orpc.analytics.overview, {}, { refetchInterval: EVERY_MS });
  const active = (kind: "events" | "missions") => catalogue && entriesOf(catalogue, kind).filter((one) => one.active).length;
  const isLive = environment === "live";
  return (
    <Page
      title={projectName}
      aside={<EnvironmentBadge environment={environment} />}
      description={
        isLive
          ? "What your real players see. Try changes in the Sandbox, then promote them."
          : "Test everything here, with separate players and keys and a clock you can move."
      }
    >
      <div className="flex flex-col gap-4">
        <ImportsUnderWay />
        {/* Each step creates something. */}
        {can("Editor") && <GettingStarted events={active("events")} missions={active("missions")} starters={starters} />}
        <ReadFailed title="Today's figures could not be loaded" error={overview.error} onRetry={overview.refetch} />
        {overview.data && <Attention items={overview.data.attention} />}
        <ScheduledChanges />
        {/* Before the first event all figures are zero. */}
        {overview.data && reception?.hasReceived && <TodayFigures overview={overview.data} />}
        <Notices />
        {can("Editor") && <StaleDefinitions />}
        <RecentChanges />
      </div>
    </Page>
  );
}

const REFRESH_MS = 2_000;
const isUnderWay = ({ status }: DataImport): boolean => status === "Checking" || status === "Running";

/** While an import runs, the figures below still grow. */
function ImportsUnderWay() {
  const { href } = useWhere();
  const { data } = useRead(
    orpc.imports.list,
    {},
    { refetchInterval: ({ state }) => (state.data?.imports.some(isUnderWay) ? REFRESH_MS : false) },
  );
  const running = data?.imports.filter(isUnderWay) ?? [];
  if (running.length === 0) return null;
  const names = running.map(({ fileName, progress }) => `${fileName} (${Math.round(progress * 100)}%)`).join(", ");
  return (
    <Notice
      title="Data is being imported"
      action={
        <LinkButton size="sm" href={href("/import")}>
          Progress
        </LinkButton>
      }
    >
      {names}. Figures and reports are not final until it is done.
    </Notice>
  );
}

type Overview = AnalyticsReports["overview"];

/** Today's figures, compared with the same hours a week ago. */
function TodayFigures({ overview: { figures, deliveries, hourly, hours, progress } }: { overview: Overview }) {
  const { href } = useWhere();
  const to = (report: string) => href(`/analytics/${report}?range=7d`);
  return (
    <section aria-labelledby="today" className="flex flex-col gap-3">
      <h2 id="today" className="text-sm font-semibold">
        Today so far <span className="font-normal text-quiet">compared with the same hours a week ago</span>
      </h2>
      <Progress {...progress} />
      <Figures
        before="a week ago"
        items={[
          { label: "Active players", figure: figures.activePlayers, good: "up", href: to("players") },
          { label: "Events", figure: figures.events, good: "up", href: to("events") },
          { label: "Missions completed", figure: figures.missionsCompleted, good: "up", href: to("missions") },
          { label: "Points granted", figure: figures.pointsGranted, href: to("points") },
          { label: "Points spent", figure: figures.pointsSpent, href: to("points") },
          { label: "Points outstanding", figure: figures.pointsOutstanding, href: to("points") },
          { label: "Purchases", figure: figures.purchases, good: "up", href: to("shop") },
          {
            label: "Pending deliveries",
            figure: { value: deliveries.waiting, before: 0 },
            isStill: true,
            note: `${formatted(deliveries.failedToday)} failed today`,
            href: to("webhooks"),
          },
        ]}
      />
      <ChartCard
        title="Active players by hour of their first event"
        data={byHour(hourly.activePlayers, hours)}
        empty="No active players yet, today or a week ago."
      />
    </section>
  );
}

/** Future hours have no figure today. */
const byHour = ({ values, before }: { values: number[]; before: number[] }, hours: number): ChartData => ({
  axis: "Hour",
  series: [
    { label: "Today", look: "line" },
    { label: "A week ago", look: "before" },
  ],
  rows: before.map((earlier, hour) => {
    const name = `${String(hour).padStart(2, "0")}:00`;
    return { id: name, short: name, name, isSoFar: hour === hours - 1, values: [hour < hours ? (values[hour] ?? 0) : null, earlier] };
  }),
});

interface Props {
  /** The number of items; undefined while loading. */
  events: number | undefined;
  missions: number | undefined;
  starters: readonly Starter[];
}

/** Onboarding steps to the first reward, with examples and a request to paste; hidden once completed. */
function GettingStarted({ events, missions, starters }: Props) {
  const { scope } = useWhere();
  const { data: reception } = useRead(
    orpc.events.reception,
    {},
    { refetchInterval: ({ state }) => (state.data?.hasReceived ? false : 2_000) },
  );
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
            {!step.isDone && step.shows !== undefined && (
              <div className="px-4 pb-4 sm:pl-11">
                {step.shows === "request" ? <FirstRequests apiKey={null} /> : <Starters starters={starters} />}
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Starters({ starters }: { starters: readonly Starter[] }) {
  const { href } = useWhere();
  return (
    <ul aria-label="Examples" className="grid gap-2 sm:grid-cols-3">
      {starters.map(({ title, noun, goodFor, path }) => (
        <li key={path}>
          <Link
            href={href(path)}
            prefetch={false}
            className="block h-full rounded-lg border border-line p-3 text-[0.8125rem] hover:border-line-strong hover:bg-raised"
          >
            <span className="font-medium">{title}</span> <span className="text-xs text-faint">{noun}</span>
            <span className="mt-0.5 block text-quiet">{goodFor}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const StepLink = ({ step: { title, words, href, isDone }, number, isNext }: { step: Step; number: number; isNext: boolean }) => (
  <PageLink href={href} className="group flex items-start gap-3 px-4 py-3 hover:bg-raised">
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
    <ArrowRight className="mt-0.5 size-4 text-faint group-hover:text-ink" />
  </PageLink>
);
