"use client";

import { useQuery } from "@tanstack/react-query";
import { namedIn } from "../definitions/kinds/index.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { ReadFailed } from "../components/problems.tsx";
import { ScheduledChanges } from "../definitions/schedule/scheduled-changes.tsx";
import { Attention } from "./attention.tsx";
import { GettingStarted } from "./getting-started.tsx";
import { ImportsUnderWay } from "./imports-under-way.tsx";
import { Notices } from "./notices.tsx";
import { RecentChanges } from "./recent-changes.tsx";
import { Today } from "./today.tsx";

const EVERY_MS = 30_000;

/** An environment's home: today's figures, items that need attention, notifications, and recent changes; onboarding in a new one. */
export function Home() {
  const { scope, environment, projectName, can } = useWhere();
  const { data: catalogue } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  const { data: reception } = useQuery(orpc.events.reception.queryOptions({ input: scope }));
  const overview = useQuery({ ...orpc.analytics.overview.queryOptions({ input: scope }), refetchInterval: EVERY_MS });
  const active = (kind: "events" | "missions") => catalogue && namedIn(catalogue, kind).filter((one) => one.active).length;
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
        {can("Editor") && <GettingStarted events={active("events")} missions={active("missions")} />}
        <ReadFailed title="Today's figures could not be loaded" error={overview.error} onRetry={overview.refetch} />
        {overview.data && <Attention items={overview.data.attention} />}
        <ScheduledChanges />
        {/* Before the first event all figures are zero. */}
        {overview.data && reception?.hasReceived && <Today overview={overview.data} />}
        <Notices />
        <RecentChanges />
      </div>
    </Page>
  );
}
