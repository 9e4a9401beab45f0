"use client";

import type { ComponentType } from "react";
import { useWhere } from "../_client/where.tsx";
import { EnvironmentBadge } from "../_components/environment-badge.tsx";
import { Page } from "../_components/page.tsx";
import { LinkTabs } from "../_components/tabs.tsx";
import { RangeBar } from "./range-bar.tsx";
import { ReportViewProvider, useReportView } from "./report-view.tsx";
import { type ReportPath, REPORTS } from "./reports.ts";
import { EventsReport } from "./screens/events.tsx";
import { LeaderboardsReport } from "./screens/leaderboards.tsx";
import { MissionsReport } from "./screens/missions.tsx";
import { PlayersReport } from "./screens/players.tsx";
import { PointsReport } from "./screens/points.tsx";
import { ShopReport } from "./screens/shop.tsx";
import { StreaksReport } from "./screens/streaks.tsx";
import { WebhooksReport } from "./screens/webhooks.tsx";
import { queryOf, type ReportView } from "./view.ts";

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

interface ReportPageProps {
  report: ReportPath;
  initialView: ReportView;
  today: string;
}

/** What happens in an environment, one subject a page. */
export function ReportPage({ report, initialView, today }: ReportPageProps) {
  const { environment } = useWhere();
  const Screen = SCREENS[report];
  return (
    <Page title="Analytics" aside={<EnvironmentBadge environment={environment} />}>
      <ReportViewProvider initialView={initialView} today={today}>
        <Tabs />
        {/* A board has periods of its own. */}
        {report !== "leaderboards" && <RangeBar />}
        <Screen />
      </ReportViewProvider>
    </Page>
  );
}

/** The range goes along from one report to the next. */
function Tabs() {
  const { href } = useWhere();
  const { view } = useReportView();
  const query = queryOf({ ...view, sort: null, of: null });
  return <LinkTabs label="Reports" items={REPORTS.map(({ path, label }) => ({ label, href: href(`/analytics/${path}${query}`) }))} />;
}
