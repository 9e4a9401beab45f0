import { instantInWords } from "#server/model/kernel/dates.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { type AnalyticsReports, useWhere } from "../../client/service.tsx";
import { ChartCard } from "../charts/chart-card.tsx";
import { byPeriod } from "../charts/data.ts";
import { Figures } from "../figures.tsx";
import { NoData, Report } from "../report.tsx";
import { numberColumn, type ReportColumn, ReportTable, textColumn } from "../report-table.tsx";
import { latencyWords, percentage } from "../words.ts";

type Endpoint = AnalyticsReports["webhooks"]["table"]["rows"][number];

export function WebhooksReport() {
  const { href } = useWhere();
  return (
    <Report of="webhooks">
      {({ frame, attempts, failed, totals, table }) => {
        if (table.count === 0)
          return (
            <NoData title="No webhook endpoints yet" action={{ label: "Webhooks", path: "/developers/webhooks" }}>
              Add an endpoint to be notified of completions, purchases and more as they happen.
            </NoData>
          );
        const { attempts: all, delivered } = totals;
        return (
          <>
            <Figures
              items={[
                { label: "Delivered", figure: delivered, good: "up" },
                { label: "Failed attempts", figure: totals.failed, good: "down" },
                { label: "Retries", figure: totals.retries, good: "down" },
                {
                  label: "Success rate",
                  figure: { value: 0, before: 0 },
                  isStill: true,
                  format: () => percentage(delivered.value, all.value),
                  note: `${percentage(delivered.before, all.before)} before`,
                },
              ]}
            />
            <ChartCard
              title="Attempts"
              data={{
                ...byPeriod(frame, [
                  { label: "Delivered", look: "bar", values: attempts.values.map((count, at) => count - failed.values[at]!) },
                  { label: "Failed", look: "second-bar", values: failed.values },
                ]),
                isStacked: true,
              }}
              empty="Nothing was sent in this range."
            />
            <ReportTable
              title="Endpoints"
              description="Half of the attempts are faster than p50, 95% are faster than p95."
              columns={COLUMNS}
              table={table}
              report="webhooks"
              rowKey={({ id }) => id}
              href={({ id, url }) => (url === null ? href("/developers/webhooks") : href(`/developers/webhooks/${id}`))}
              empty="No endpoints."
            />
          </>
        );
      }}
    </Report>
  );
}

const COLUMNS: ReportColumn<Endpoint>[] = [
  { ...textColumn("url", "Endpoint", ({ url }) => url ?? "Deleted endpoint"), value: ({ url }) => url },
  numberColumn("attempts", "Attempts", ({ attempts }) => attempts.value),
  numberColumn(
    "success",
    "Success",
    ({ attempts, delivered }) => (attempts.value === 0 ? null : delivered.value / attempts.value),
    (part) => percentage(part, 1),
  ),
  numberColumn("failed", "Failed", ({ failed }) => failed.value),
  numberColumn("retries", "Retries", ({ retries }) => retries.value),
  { ...numberColumn<Endpoint>("p50", "p50", ({ p50 }) => p50, latencyWords), unit: "ms" },
  { ...numberColumn<Endpoint>("p95", "p95", ({ p95 }) => p95, latencyWords), unit: "ms" },
  {
    id: "hours",
    header: "Last 48 hours",
    unit: "failed",
    value: ({ hours }) => hours.reduce((sum, { failed }) => sum + failed, 0),
    cell: ({ hours }) => <Health hours={hours} />,
  },
];

/** One bar per hour: low and faint without attempts, full where all were delivered, cut where some failed. */
function Health({ hours }: { hours: Endpoint["hours"] }) {
  const { timeZone } = useWhere();
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <span
      className="relative inline-flex h-5 items-end gap-px"
      role="img"
      aria-label={`${plural(attempts, "attempt")}, ${formatted(failed)} failed`}
    >
      {hours.map((hour) => (
        <HourBar key={hour.at} {...hour} when={instantInWords(hour.at, timeZone)} />
      ))}
    </span>
  );
}

function HourBar({ attempts, failed, when }: { attempts: number; failed: number; when: string }) {
  if (attempts === 0) return <span data-hint={`${when}: nothing sent`} className="h-1 w-1 rounded-sm bg-line-strong" />;
  const part = Math.max(15, Math.round((failed / attempts) * 100));
  return (
    <span
      data-hint={`${when}: ${plural(attempts, "attempt")}, ${formatted(failed)} failed`}
      className="relative h-5 w-1 overflow-hidden rounded-sm bg-good"
    >
      {failed > 0 && <span className="absolute inset-x-0 top-0 bg-bad" style={{ height: `${part}%` }} />}
    </span>
  );
}
