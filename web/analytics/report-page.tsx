"use client";

import type { ComponentType } from "react";
import { useWhere } from "../client/service.tsx";
import { EnvironmentBadge } from "../components/environment-badge.tsx";
import { Page } from "../components/page.tsx";
import { LinkTabs } from "../components/tabs.tsx";
import { RangeBar } from "./range-bar.tsx";
import { Today, useReportView } from "./report.tsx";
import { isOfSegments, type ReportPath, REPORTS } from "./reports.ts";
import { EventsReport } from "./screens/events.tsx";
import { LeaderboardsReport } from "./screens/leaderboards.tsx";
import { MissionsReport } from "./screens/missions.tsx";
import { PlayersReport } from "./screens/players.tsx";
import { PointsReport } from "./screens/points.tsx";
import { ShopReport } from "./screens/shop.tsx";
import { StreaksReport } from "./screens/streaks.tsx";
import { WebhooksReport } from "./screens/webhooks.tsx";
import { otherReport } from "./view.ts";

/** All in the page: loading each by itself would save 12 kB, and could fail. */
const SCREENS: Record<ReportPath, ComponentType> = {
  players: PlayersReport,
  missions: MissionsReport,
  points: PointsReport,
  shop: ShopReport,
  streaks: StreaksReport,
  leaderboards: LeaderboardsReport,
  events: EventsReport,
  webhooks: WebhooksReport,
};

export function ReportPage({ report, today }: { report: ReportPath; today: string }) {
  const { environment } = useWhere();
  const Screen = SCREENS[report];
  return (
    <Page title="Analytics" aside={<EnvironmentBadge environment={environment} />}>
      <Today rendered={today} isReal={report === "webhooks"}>
        <ReportTabs />
        {/* Boards have periods of their own, and no streak chart is by day. */}
        {report !== "leaderboards" && <RangeBar isDivided={report !== "streaks"} isOfSegments={isOfSegments(report)} />}
        {!isOfSegments(report) && <OfAllPlayers />}
        <Screen />
      </Today>
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
