import { selectNow } from "#db/client.ts";
import { formatInstant, localDate, periodFrom } from "#server/model/kernel/time.ts";
import { latencyBuckets, quantile } from "#server/model/kernel/durations.ts";
import { boundsOf, type Frame, wholesOf } from "#server/model/analytics/frame.ts";
import { type AttemptSum, firstAttempt, selectAttemptCounts, selectEndpointUrls, selectLatencies } from "../../store/webhooks.ts";
import type { Figure } from "#server/model/analytics/sums.ts";
import { type Orders, pageOf, type TableView } from "#server/model/analytics/table.ts";
import { type ReportRange, rangeFrame, type ReportContext, shownFrame } from "./context.ts";

const HOUR = 3_600_000;
const HOURS = 48;

/** Results of deliveries. Attempts happen in real time, independently of the environment's clock. */
export async function reportWebhooks(context: ReportContext, { table, ...range }: ReportRange & { table: TableView }) {
  const { sql, environment } = context;
  const { id, timeZone } = environment;
  const frame = rangeFrame(range);
  const startOf = (day: string): number => periodFrom(day, "Day", timeZone).startsAt;
  const now = await selectNow(sql);
  const today = localDate(now, timeZone);
  const [{ bounds, end }, wholes] = [boundsOf(frame), wholesOf(frame, today)];
  const lastHour = Math.floor(now / HOUR) * HOUR;
  const hours = Array.from({ length: HOURS }, (_, at) => lastHour - (HOURS - 1 - at) * HOUR);
  const [shown, sums, totals, latencies, recent, urls, first] = await Promise.all([
    shownFrame({ ...context, today }, frame),
    selectAttemptCounts(sql, id, bounds.map(startOf), startOf(end)),
    selectAttemptCounts(sql, id, wholes.bounds.map(startOf), startOf(end)),
    selectLatencies(sql, id, startOf(frame.from), startOf(end)),
    selectAttemptCounts(sql, id, hours, lastHour + HOUR),
    selectEndpointUrls(sql, id),
    firstAttempt(sql, id),
  ]);
  const ids = new Set([...urls.keys(), ...totals.map(({ endpointId }) => endpointId)]);
  const endpoints = [...ids].map((endpointId) => {
    const own = totals.filter((sum) => sum.endpointId === endpointId);
    const durations = latencyBuckets(latencies.get(endpointId) ?? []);
    const last = recent.filter((sum) => sum.endpointId === endpointId);
    return {
      id: endpointId,
      url: urls.get(endpointId) ?? null,
      ...resultsOf(own),
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
    attempts: valuesOf(sums, frame, ({ attempts }) => attempts),
    failed: valuesOf(sums, frame, failuresOf),
    totals: resultsOf(totals),
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

const resultsOf = (sums: readonly AttemptSum[]) => ({
  attempts: figureOf(sums, ({ attempts }) => attempts),
  delivered: figureOf(sums, ({ delivered }) => delivered),
  failed: figureOf(sums, failuresOf),
  retries: figureOf(sums, ({ retries }) => retries),
});

const failuresOf = ({ attempts, delivered }: AttemptSum): number => attempts - delivered;

type Value = (sum: AttemptSum) => number;

const inBucket = (sums: readonly AttemptSum[], bucket: number, value: Value): number =>
  sums.reduce((added, sum) => added + (sum.bucket === bucket ? value(sum) : 0), 0);

const valuesOf = (sums: readonly AttemptSum[], { starts, before }: Frame, value: Value): number[] =>
  starts.map((_, at) => inBucket(sums, before.starts.length + 2 + at, value));

/** From the buckets of `wholesOf`. */
function figureOf(sums: readonly AttemptSum[], value: Value): Figure {
  const running = inBucket(sums, 4, value);
  return { value: inBucket(sums, 3, value) + running, before: inBucket(sums, 1, value), running };
}
