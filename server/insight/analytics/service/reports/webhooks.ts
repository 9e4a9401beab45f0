import { selectNow } from "#db/client.ts";
import { formatInstant, localDate, periodFrom } from "#server/model/kernel/time.ts";
import { latencyBuckets, quantile } from "#server/model/kernel/durations.ts";
import { boundsOf } from "#server/model/analytics/frame.ts";
import { type AttemptSum, firstAttempt, selectAttemptCounts, selectEndpointUrls, selectLatencies } from "../../store/webhooks.ts";
import type { Figure, Series } from "#server/model/analytics/sums.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { type ReportRange, rangeFrame, type ReportContext, shownFrame } from "./context.ts";
import { HOUR } from "#server/model/kernel/instant.ts";

const HOURS = 48;

/** Results of deliveries. Attempts happen in real time, independently of the environment's clock. */
export async function reportWebhooks(context: ReportContext, { table, ...range }: ReportRange & { table: TableView }) {
  const { sql, environment } = context;
  const { id, timeZone } = environment;
  const frame = rangeFrame(range);
  const { bounds, end } = boundsOf(frame);
  const startOf = (day: string): number => periodFrom(day, "Day", timeZone).startsAt;
  const now = await selectNow(sql);
  const lastHour = Math.floor(now / HOUR) * HOUR;
  const hours = Array.from({ length: HOURS }, (_, at) => lastHour - (HOURS - 1 - at) * HOUR);
  const [shown, sums, latencies, recent, urls, first] = await Promise.all([
    shownFrame({ ...context, today: localDate(now, timeZone) }, frame),
    selectAttemptCounts(sql, id, bounds.map(startOf), startOf(end)),
    selectLatencies(sql, id, startOf(frame.from), startOf(end)),
    selectAttemptCounts(sql, id, hours, lastHour + HOUR),
    selectEndpointUrls(sql, id),
    firstAttempt(sql, id),
  ]);
  const half = frame.starts.length;
  const ids = new Set([...urls.keys(), ...sums.map(({ endpointId }) => endpointId)]);
  const endpoints = [...ids].map((endpointId) => {
    const own = sums.filter((sum) => sum.endpointId === endpointId);
    const durations = latencyBuckets(latencies.get(endpointId) ?? []);
    const last = recent.filter((sum) => sum.endpointId === endpointId);
    return {
      id: endpointId,
      url: urls.get(endpointId) ?? null,
      ...resultsOf(own, half),
      p50: quantile(durations, 0.5),
      p95: quantile(durations, 0.95),
      hours: hours.map((at, index) => {
        const hour = last.find(({ bucket }) => bucket === index + 1);
        return { at: formatInstant(at), attempts: hour?.attempts ?? 0, failed: hour === undefined ? 0 : failuresOf(hour) };
      }),
    };
  });
  return {
    frame: shown,
    countedSince: first === null ? null : localDate(first, timeZone),
    attempts: seriesOf(sums, half, ({ attempts }) => attempts),
    failed: seriesOf(sums, half, failuresOf),
    totals: resultsOf(sums, half),
    table: pageOf(endpoints, table, ORDERS),
  };
}

type Endpoint = ReturnType<typeof resultsOf> & { url: string | null; p50: number | null; p95: number | null; hours: { failed: number }[] };

/** What each column of the table sorts by. */
const ORDERS: Orders<Endpoint> = {
  url: ({ url }) => url,
  attempts: ({ attempts }) => attempts.value,
  success: ({ attempts, delivered }) => (attempts.value === 0 ? null : delivered.value / attempts.value),
  failed: ({ failed }) => failed.value,
  retries: ({ retries }) => retries.value,
  p50: ({ p50 }) => p50,
  p95: ({ p95 }) => p95,
  hours: ({ hours }) => hours.reduce((sum, { failed }) => sum + failed, 0),
};

const resultsOf = (sums: readonly AttemptSum[], half: number) => ({
  attempts: figureOf(sums, half, ({ attempts }) => attempts),
  delivered: figureOf(sums, half, ({ delivered }) => delivered),
  failed: figureOf(sums, half, failuresOf),
  retries: figureOf(sums, half, ({ retries }) => retries),
});

const failuresOf = ({ attempts, delivered }: AttemptSum): number => attempts - delivered;

function seriesOf(sums: readonly AttemptSum[], half: number, value: (sum: AttemptSum) => number): Series {
  const series: Series = { values: Array<number>(half).fill(0), before: Array<number>(half).fill(0) };
  for (const sum of sums) {
    const [side, at] = sum.bucket > half ? [series.values, sum.bucket - half - 1] : [series.before, sum.bucket - 1];
    side[at]! += value(sum);
  }
  return series;
}

function figureOf(sums: readonly AttemptSum[], half: number, value: (sum: AttemptSum) => number): Figure {
  const { values, before } = seriesOf(sums, half, value);
  return { value: values.reduce((a, b) => a + b, 0), before: before.reduce((a, b) => a + b, 0) };
}
