"use client";

import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { byPeriod, compared } from "../charts/data.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { Cohorts } from "../cohorts.tsx";
import { Figures } from "../figures.tsx";
import { Loaded } from "../loaded.tsx";
import { NoData } from "../no-data.tsx";
import { useReportView } from "../report-view.tsx";
import { useReport } from "../use-report.ts";

const AVERAGES = { Day: "a day", Week: "a week", Month: "a month" };

/** Active players, new or returning, and retention. */
export function PlayersReport() {
  const { scope } = useWhere();
  const { view, range } = useReportView();
  const query = useReport(orpc.analytics.players.queryOptions({ input: { ...scope, ...range, segment: view.segment } }));
  return (
    <Loaded query={query}>
      {({ frame, active, new: fresh, returning, totals, cohorts }) => {
        if ([...active.values, ...active.before].every((count) => count === 0))
          return (
            <NoData title="No active players in this range">
              A player is active on a day with an event or a metric event. Choose a longer range, or send events.
            </NoData>
          );
        const isOver = frame.starts.map((_, at) => at < frame.starts.length - 1 || frame.today > frame.to);
        const average = ({ values, before }: typeof active) => ({
          value: mean(values.some((_, at) => isOver[at]) ? values.filter((_, at) => isOver[at]) : values),
          before: mean(before),
        });
        const each = AVERAGES[frame.by];
        return (
          <>
            <Figures
              before="before"
              items={[
                { label: `Active ${each} (average)`, figure: average(active), good: "up" },
                { label: "New players", figure: totals.new, good: "up" },
                { label: `Returning ${each} (average)`, figure: average(returning), good: "up" },
              ]}
            />
            <ChartCard title="Active players" data={compared(frame, "Active", active)} empty="No active players in this range." />
            <ChartCard
              title="New and returning players"
              data={{
                ...byPeriod(frame, [
                  { label: "Returning", look: "bar", values: returning.values },
                  { label: "New", look: "second-bar", values: fresh.values },
                ]),
                isStacked: true,
              }}
              empty="No active players in this range."
            />
            <Cohorts cohorts={cohorts} today={frame.today} />
          </>
        );
      }}
    </Loaded>
  );
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
