import { longDate, shortDate } from "#server/model/kernel/dates.ts";
import { MAX_COHORT_WEEKS } from "#server/model/analytics/sums.ts";
import { formatDay, parseDay, periodsBetween } from "#server/model/kernel/calendar.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { byPeriod, compared } from "../charts/data.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { Figures } from "../figures.tsx";
import { NoData, Report } from "../report.tsx";
import { Card } from "../../components/surface.tsx";
import { DownloadButton } from "../file.tsx";
import { averageFigure, percentage } from "../words.ts";
import type { AnalyticsFrame } from "../../client/service.tsx";

const AVERAGES = { Day: "per day", Week: "per week", Month: "per month" };

export function PlayersReport() {
  return (
    <Report of="players">
      {({ frame, active, new: fresh, returning, totals, cohorts }) => {
        if ([...active.values, ...active.before].every((count) => count === 0))
          return (
            <NoData title="No active players in this range">
              A player is active on a day with an event or a metric event. Choose a longer range, or send events.
            </NoData>
          );
        const isOver = frame.starts.map((_, at) => at < frame.starts.length - 1 || frame.today > frame.to);
        const average = ({ values, before }: typeof active) => {
          const over = values.filter((_, at) => isOver[at]);
          return averageFigure(over.length > 0 ? over : values, before);
        };
        const each = AVERAGES[frame.by];
        return (
          <>
            <Figures
              items={[
                { label: `Active ${each} (average)`, figure: average(active), format: toTenths, good: "up" },
                { label: "New players", figure: totals.new, good: "up" },
                { label: `Returning ${each} (average)`, figure: average(returning), format: toTenths, good: "up" },
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
            <Cohorts cohorts={cohorts} frame={frame} />
          </>
        );
      }}
    </Report>
  );
}

const toTenths = (value: number): string => formatted(Math.round(value * 10) / 10);

/** Cohort retention: of the players of each first week, the share active in later weeks. Darker means more; the figure says how much. */
function Cohorts({ cohorts, frame: { from, today } }: { cohorts: { week: string; counts: number[] }[]; frame: AnalyticsFrame }) {
  const weeks = Math.max(0, ...cohorts.map(({ counts }) => counts.length));
  const after = Array.from({ length: Math.max(weeks - 1, 0) }, (_, at) => at + 1);
  const isGoingOn = (week: string, at: number) => formatDay(parseDay(week) + at * 7 + 6) >= today;
  const isCut = periodsBetween("Week", from, today) >= MAX_COHORT_WEEKS;
  return (
    <Card
      title="Retention by first week"
      description={`Of the players whose first event was in a week, how many were active in each week after it${isCut ? `: at most ${MAX_COHORT_WEEKS} weeks, of the last ${MAX_COHORT_WEEKS} first weeks of the range` : ""}.`}
      padded={false}
      actions={
        cohorts.length > 0 && (
          <DownloadButton
            name="Retention"
            rows={() => [
              ["First week", "Players", ...after.map((at) => `Week ${at}`)],
              ...cohorts.map(({ week, counts }) => [week, ...counts]),
            ]}
          />
        )
      }
    >
      {cohorts.length === 0 ? (
        <p className="px-4 py-10 text-center text-quiet">No player was new in a whole week of this range. Choose a longer range.</p>
      ) : (
        <div className="relative scroll-shadows overflow-x-auto" tabIndex={0} role="group" aria-label="Retention by first week">
          <table
            aria-label="Retention by first week"
            className="w-full border-separate border-spacing-0.5 p-3 text-[0.8125rem] tabular-nums"
          >
            <thead>
              <tr className="text-xs text-quiet">
                <th scope="col" className="px-2 text-left font-medium">
                  First week
                </th>
                <th scope="col" className="px-2 text-right font-medium">
                  Players
                </th>
                {after.map((at) => (
                  <th key={at} scope="col" className="px-2 text-center font-medium whitespace-nowrap">
                    Week {at}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map(({ week, counts }) => (
                <tr key={week}>
                  <th scope="row" className="h-8 px-2 text-left font-normal whitespace-nowrap">
                    {shortDate(week)}
                  </th>
                  <td className="px-2 text-right">{formatted(counts[0])}</td>
                  {after.map((at) => (
                    <Cell key={at} week={week} count={counts[at]} size={counts[0]!} isSoFar={isGoingOn(week, at)} at={at} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {cohorts.length > 0 && <p className="border-t border-line px-4 py-2 text-xs text-quiet">Dashed: week in progress</p>}
    </Card>
  );
}

interface CellProps {
  week: string;
  /** Left out for future weeks. */
  count: number | undefined;
  size: number;
  isSoFar: boolean;
  at: number;
}

/** The share of the accent at full retention; text stays readable on it in both themes. */
const FULL_PERCENT = 45;

function Cell({ week, count, size, isSoFar, at }: CellProps) {
  if (count === undefined) return <td />;
  const part = size === 0 ? 0 : count / size;
  return (
    <td
      className="min-w-14 rounded-md border text-center"
      style={{
        backgroundColor: `color-mix(in srgb, var(--color-accent) ${Math.round(part * FULL_PERCENT)}%, var(--color-paper))`,
        borderColor: isSoFar ? "var(--color-faint)" : "transparent",
        borderStyle: isSoFar ? "dashed" : "solid",
      }}
      data-hint={`${formatted(count)} of ${formatted(size)} new in the week of ${longDate(week)} were active ${at === 1 ? "a week" : `${at} weeks`} later${isSoFar ? ", so far" : ""}`}
    >
      {percentage(count, size)}
    </td>
  );
}
