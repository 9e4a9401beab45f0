"use client";

import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import { useWhere } from "../client/service.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { LinkTabs } from "../components/tabs.tsx";
import { RangeBar } from "./range-bar.tsx";
import { TodayContext, useReportView } from "./report.tsx";
import { isOfSegments, type ReportPath, REPORTS } from "./reports.ts";
import { otherReport } from "./view.ts";

/** Each page loads only its own report. */
const SCREENS: Record<ReportPath, ComponentType> = {
  players: dynamic(() => import("./screens/players.tsx").then((loaded) => loaded.PlayersReport)),
  missions: dynamic(() => import("./screens/missions.tsx").then((loaded) => loaded.MissionsReport)),
  points: dynamic(() => import("./screens/points.tsx").then((loaded) => loaded.PointsReport)),
  shop: dynamic(() => import("./screens/shop.tsx").then((loaded) => loaded.ShopReport)),
  streaks: dynamic(() => import("./screens/streaks.tsx").then((loaded) => loaded.StreaksReport)),
  leaderboards: dynamic(() => import("./screens/leaderboards.tsx").then((loaded) => loaded.LeaderboardsReport)),
  events: dynamic(() => import("./screens/events.tsx").then((loaded) => loaded.EventsReport)),
  webhooks: dynamic(() => import("./screens/webhooks.tsx").then((loaded) => loaded.WebhooksReport)),
};

export function ReportPage({ report, today }: { report: ReportPath; today: string }) {
  const { environment } = useWhere();
  const Screen = SCREENS[report];
  return (
    <Page title="Analytics" aside={<EnvironmentBadge environment={environment} />}>
      <TodayContext value={today}>
        <ReportTabs />
        {/* Boards have periods of their own, and no streak chart is by day. */}
        {report !== "leaderboards" && <RangeBar isDivided={report !== "streaks"} isOfSegments={isOfSegments(report)} />}
        {!isOfSegments(report) && <OfAllPlayers />}
        <Screen />
      </TodayContext>
    </Page>
  );
}

/** The segment is kept when switching reports, also through those that cannot be filtered by it. */
function OfAllPlayers() {
  const { view } = useReportView();
  return (
    view.segment !== null && (
      <p className="mb-4 text-[0.8125rem] text-quiet">This report covers all players and can't be filtered by segment.</p>
    )
  );
}

/** The range is kept when switching reports. */
function ReportTabs() {
  const { href } = useWhere();
  const { view } = useReportView();
  const query = otherReport(view);
  return <LinkTabs label="Reports" items={REPORTS.map(({ path, label }) => ({ label, href: href(`/analytics/${path}${query}`) }))} />;
}
