"use client";

import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import type { AnalyticsReports } from "#server/insight/analytics/contract.dashboard.ts";
import { formatted } from "#server/model/kernel/thousands.ts";
import { exactly } from "../../components/exactly.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { byPeriod } from "../charts/data.ts";
import { Figures } from "../figures.tsx";
import { Loaded } from "../loaded.tsx";
import { NoData } from "../no-data.tsx";
import { type ReportColumn, ReportTable } from "../report-table.tsx";
import { useReportView } from "../report-view.tsx";
import { useReport } from "../use-report.ts";
import { type Figure, latencyWords, share } from "../words.ts";

type Endpoint = AnalyticsReports["webhooks"]["endpoints"][number];

/** Webhook deliveries over time. */
export function WebhooksReport() {
  const { scope, href, timeZone } = useWhere();
  const { range } = useReportView();
  const query = useReport(orpc.analytics.webhooks.queryOptions({ input: { ...scope, ...range } }));
  return (
    <Loaded query={query}>
      {({ frame, attempts, failed, endpoints }) => {
        if (endpoints.length === 0)
          return (
            <NoData title="No webhook endpoints yet" action={{ label: "Webhooks", path: "/developers/webhooks" }}>
              Add an endpoint to be notified of completions, purchases and more as they happen.
            </NoData>
          );
        const total = (figure: (endpoint: Endpoint) => Figure): Figure => ({
          value: endpoints.reduce((sum, endpoint) => sum + figure(endpoint).value, 0),
          before: endpoints.reduce((sum, endpoint) => sum + figure(endpoint).before, 0),
        });
        const all = total((endpoint) => endpoint.attempts);
        const delivered = total((endpoint) => endpoint.delivered);
        return (
          <>
            <Figures
              before="before"
              items={[
                { label: "Delivered", figure: delivered, good: "up" },
                { label: "Failed attempts", figure: total((endpoint) => endpoint.failed), good: "down" },
                { label: "Retries", figure: total((endpoint) => endpoint.retries), good: "down" },
                {
                  label: "Success rate",
                  figure: { value: 0, before: 0 },
                  isStill: true,
                  format: () => share(delivered.value, all.value),
                  note: `${share(delivered.before, all.before)} before`,
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
              columns={columnsOf(timeZone)}
              rows={endpoints}
              rowKey={({ id }) => id}
              href={({ id, url }) => (url === null ? href("/developers/webhooks") : href(`/developers/webhooks/${id}`))}
              empty="No endpoints."
            />
          </>
        );
      }}
    </Loaded>
  );
}

const count = (id: "attempts" | "failed" | "retries", header: string): ReportColumn<Endpoint> => ({
  id,
  header,
  isNumeric: true,
  value: (endpoint) => endpoint[id].value,
  cell: (endpoint) => formatted(endpoint[id].value),
});

const latency = (id: "p50" | "p95"): ReportColumn<Endpoint> => ({
  id,
  header: id,
  isNumeric: true,
  value: (endpoint) => endpoint[id],
  cell: (endpoint) => (endpoint[id] === null ? "–" : latencyWords(endpoint[id])),
});

const columnsOf = (timeZone: string): ReportColumn<Endpoint>[] => [
  {
    id: "url",
    header: "Endpoint",
    value: ({ url }) => url,
    cell: ({ url }) => <span className="block truncate">{url ?? "Deleted endpoint"}</span>,
  },
  count("attempts", "Attempts"),
  {
    id: "success",
    header: "Success",
    isNumeric: true,
    value: ({ attempts, delivered }) => (attempts.value === 0 ? null : delivered.value / attempts.value),
    cell: ({ attempts, delivered }) => share(delivered.value, attempts.value),
  },
  count("failed", "Failed"),
  count("retries", "Retries"),
  latency("p50"),
  latency("p95"),
  {
    id: "hours",
    header: "Last 48 hours",
    value: ({ hours }) => hours.reduce((sum, { failed }) => sum + failed, 0),
    cell: ({ hours }) => <Health hours={hours} timeZone={timeZone} />,
  },
];

/** One bar per hour: low and faint without attempts, full where all were delivered, cut where some failed. */
function Health({ hours, timeZone }: { hours: Endpoint["hours"]; timeZone: string }) {
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <span
      className="relative inline-flex h-5 items-end gap-px"
      role="img"
      aria-label={`${formatted(attempts)} attempts, ${formatted(failed)} failed`}
    >
      {hours.map((hour) => (
        <HourBar key={hour.at} {...hour} when={exactly(hour.at, timeZone)} />
      ))}
    </span>
  );
}

function HourBar({ attempts, failed, when }: { attempts: number; failed: number; when: string }) {
  if (attempts === 0) return <span data-hint={`${when}: nothing sent`} className="h-1 w-1 rounded-sm bg-line-strong" />;
  const part = Math.max(15, Math.round((failed / attempts) * 100));
  return (
    <span
      data-hint={`${when}: ${formatted(attempts)} attempts, ${formatted(failed)} failed`}
      className="relative h-5 w-1 overflow-hidden rounded-sm bg-good"
    >
      {failed > 0 && <span className="absolute inset-x-0 top-0 bg-bad" style={{ height: `${part}%` }} />}
    </span>
  );
}
