"use client";

import type { AnalyticsReports } from "../../server/insight/analytics/contract.dashboard.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { ChartCard } from "../analytics/charts/chart-card.tsx";
import type { ChartData } from "../analytics/charts/data.ts";
import { Figures } from "../analytics/figures.tsx";
import { Progress } from "../analytics/loaded.tsx";
import { useWhere } from "../client/where.tsx";

type Overview = AnalyticsReports["overview"];

/** Today's figures, compared with the same hours a week ago. */
export function Today({ overview: { figures, deliveries, hourly, hours, progress } }: { overview: Overview }) {
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
        title="Active players by hour"
        data={byHour(hourly.activePlayers, hours)}
        empty="No active players yet, today or a week ago."
      />
    </section>
  );
}

/** Future hours have no figure today. */
function byHour({ values, before }: { values: number[]; before: number[] }, hours: number): ChartData {
  return {
    axis: "Hour",
    series: [
      { label: "Today", look: "line" },
      { label: "A week ago", look: "before" },
    ],
    rows: before.map((earlier, hour) => {
      const name = `${String(hour).padStart(2, "0")}:00`;
      return { id: name, short: name, name, isSoFar: hour === hours - 1, values: [hour < hours ? (values[hour] ?? 0) : null, earlier] };
    }),
  };
}
