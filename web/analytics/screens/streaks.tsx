import { instantInWords } from "#server/model/kernel/dates.ts";
import { CALENDAR, periodsInWords } from "#server/model/kernel/calendar.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { type AnalyticsReports, useWhere } from "../../client/service.tsx";
import { Card } from "../../components/surface.tsx";
import { Bars, Figures } from "../figures.tsx";
import { CardPairs, ChartCard } from "../charts/chart-card.tsx";
import { type ChartData, distribution } from "../charts/data.ts";
import { NoData, NoFigures, Report } from "../report.tsx";
import { ChooseSubject } from "../subjects.tsx";
import { countRange, percentage, sinceWords, total } from "../words.ts";

type Row = NonNullable<AnalyticsReports["streaks"]["row"]>;

/** How a streak's runs begin, last and are kept alive, for one streak or the selected one. */
export function StreaksReport({ only }: { only?: string }) {
  const { timeZone } = useWhere();
  return (
    <Report of="streaks" only={only}>
      {({ frame, row, choices, countedSince }) => {
        if (only !== undefined && row?.subject.key !== only) return <NoFigures />;
        if (row === null)
          return (
            <NoData title="No streaks yet" action={{ label: "Streaks", path: "/streaks" }}>
              See how many players keep each streak going, and for how long.
            </NoData>
          );
        const periods = `${CALENDAR[row.period].noun}s`;
        const since = sinceWords("Starts, freezes and milestones", countedSince, frame);
        return (
          <>
            {only === undefined && <ChooseSubject kind="streaks" label="Streak" choices={choices} chosen={row.subject} />}
            {since && <p className="text-[0.8125rem] text-quiet">{since}</p>}
            <Figures
              items={[
                { label: "Streaks started", figure: row.started, good: "up" },
                { label: "Freezes used", figure: row.freezesUsed },
                { label: "Milestones reached", figure: total(row.milestones, ({ count }) => count), good: "up" },
              ]}
            />
            <CardPairs>
              <ChartCard
                title="Active streaks by length"
                description={row.live === null ? undefined : `In ${periods}, counted ${instantInWords(row.live.takenAt, timeZone)}.`}
                data={distribution(`Length in ${periods}`, "Players", everyLength(row.live?.buckets ?? []), countRange)}
                empty={row.live === null ? "Lengths are counted once a day. The first count has not run yet." : "No active streaks."}
              />
              <ChartCard
                title="How long streaks last"
                description={`The share of all streaks ever started that reached each length, in ${periods}.`}
                data={survival(row)}
                empty="No streaks yet. Lengths are counted once a day."
              />
            </CardPairs>
            <Card title="Milestones reached">
              {row.milestones.length === 0 ? (
                <p className="text-quiet">This streak has no milestones.</p>
              ) : (
                <Bars
                  label="Milestones reached"
                  items={row.milestones.map(({ length, count }) => ({
                    id: String(length),
                    label: periodsInWords(length, row.period),
                    value: count.value,
                  }))}
                />
              )}
            </Card>
          </>
        );
      }}
    </Report>
  );
}

/** Includes empty lengths, so that the axis is linear. */
const everyLength = (buckets: NonNullable<Row["live"]>["buckets"]): typeof buckets =>
  Array.from({ length: Math.min(Math.max(0, ...buckets.map(({ from }) => from)), MAX_LENGTH) }, (_, at) => ({
    from: at + 1,
    to: at + 2,
    count: buckets.find(({ from }) => from === at + 1)?.count ?? 0,
  }));

/** The survival curve only has lengths at which a run ended; lengths in between take the value of the next one. */
function survival({ survival: reached, period }: Row): ChartData {
  const known = [...reached].sort((a, b) => a.length - b.length);
  const all = known[0]?.runs ?? 0;
  const lengths = Array.from({ length: Math.min(known.at(-1)?.length ?? 0, MAX_LENGTH) }, (_, at) => at + 1);
  return {
    axis: `Length in ${CALENDAR[period].noun}s`,
    series: [{ label: "Reached", look: "line", format: (percent) => percentage(percent, 100) }, { label: "Streaks" }],
    rows: lengths.map((length) => {
      const { runs } = known.find((one) => one.length >= length)!;
      return {
        id: String(length),
        short: formatted(length),
        name: periodsInWords(length, period),
        isSoFar: false,
        values: [(runs / all) * 100, runs],
      };
    }),
  };
}

/** The longest length drawn: a year of days. */
const MAX_LENGTH = 366;
