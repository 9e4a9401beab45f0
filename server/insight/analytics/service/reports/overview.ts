import type { CountedMeasure } from "#server/model/kernel/counts.ts";
import { formatInstant, localHour, periodAt, shiftDate } from "#server/model/kernel/time.ts";
import { isOffered, roundAt } from "#server/model/marketplace/eligibility.ts";
import { loadUnitsSold } from "#server/game/marketplace/store/sales.ts";
import { countDeliveries, countInQuarantine, selectFailingEndpoints } from "../../store/attention.ts";
import { sumBefore, selectSums } from "../../store/sums.ts";
import { type Figure, type Series, Sums } from "#server/model/analytics/sums.ts";
import { type Names, namesOf, countingProgress, type ReportContext } from "./context.ts";
import { failedSchedules } from "#server/authoring/definitions/service/scheduled.ts";
import { readTextsAttention } from "#server/authoring/definitions/service/translations.ts";
import { DAY } from "#server/model/kernel/instant.ts";

const MEASURES = ["hour.active", "hour.events", "hour.completed", "hour.granted", "hour.spent", "hour.adjusted", "hour.purchased"] as const;
const HELD = ["hour.granted", "hour.spent", "hour.adjusted"] as const;
const HOURS = 24;
const WEEK = 7;
const WEEK_MS = WEEK * DAY;

/** The day so far compared with the same hours a week ago, and items that need attention. */
export async function reportOverview(context: ReportContext) {
  const { sql, environment, population, now, today } = context;
  const { id, timeZone } = environment;
  const weekAgo = shiftDate(today, -WEEK);
  const tomorrow = shiftDate(today, 1);
  // Three buckets: the day a week ago, the days between, today.
  const bounds = [weekAgo, shiftDate(weekAgo, 1), today];
  const hours = Number(localHour(now, timeZone)) + 1;
  const [rows, heldBefore, progress, deliveries, attention] = await Promise.all([
    selectSums(sql, population, { measures: MEASURES, bounds, end: tomorrow, withDetail: true }),
    sumBefore(sql, population, HELD, weekAgo),
    countingProgress(context),
    countDeliveries(sql, id, periodAt(now, timeZone, "Day").startsAt - environment.clockOffsetMs),
    attentionOf(context),
  ]);
  const soFar = new Sums(
    rows
      .filter(({ bucket, detail }) => bucket !== 2 && Number(detail) < hours)
      .map((row) => ({ ...row, bucket: row.bucket === 1 ? 1 : 2 })),
    2,
  );
  const figure = (measure: CountedMeasure, field?: "amount"): Figure => soFar.figure({ measure }, field);
  const [granted, spent, adjusted] = HELD.map((measure) => figure(measure, "amount")) as [Figure, Figure, Figure];
  const between = new Sums(
    rows.filter(({ bucket }) => bucket !== 3).map((row) => ({ ...row, bucket: 2 })),
    2,
  );
  const heldOf = (add: (measure: (typeof HELD)[number]) => number): number =>
    add("hour.granted") - add("hour.spent") + add("hour.adjusted");
  const start = heldOf((measure) => Number(heldBefore.get(measure) ?? 0));
  const passed = heldOf((measure) => between.figure({ measure }, "amount").value);
  return {
    timeZone,
    today,
    hours,
    progress,
    figures: {
      activePlayers: figure("hour.active"),
      events: figure("hour.events"),
      missionsCompleted: figure("hour.completed"),
      pointsGranted: granted,
      pointsSpent: spent,
      pointsOutstanding: {
        value: start + passed + granted.value - spent.value + adjusted.value,
        before: start + granted.before - spent.before + adjusted.before,
      },
      purchases: figure("hour.purchased"),
    },
    hourly: { events: byHour(rows, "hour.events"), activePlayers: byHour(rows, "hour.active") },
    deliveries: { waiting: deliveries.waiting, failedToday: deliveries.failed },
    attention,
  };
}

function byHour(rows: Awaited<ReturnType<typeof selectSums>>, measure: CountedMeasure): Series {
  const series: Series = { values: Array<number>(HOURS).fill(0), before: Array<number>(HOURS).fill(0) };
  for (const row of rows) {
    if (row.measure !== measure || row.bucket === 2) continue;
    series[row.bucket === 1 ? "before" : "values"][Number(row.detail)] = row.count;
  }
  return series;
}

/** Stock is running out at this share or less. */
const LITTLE = 0.1;

async function attentionOf(context: ReportContext) {
  const { sql, environment, definitions, now } = context;
  const [failing, quarantined, schedules, names, texts] = await Promise.all([
    selectFailingEndpoints(sql, environment.id),
    countInQuarantine(sql, environment.id),
    failedSchedules(sql, environment.id),
    namesOf(context, "missions", "marketplaceItems"),
    readTextsAttention(sql, environment),
  ]);
  return [
    ...failing.map(({ since, ...endpoint }) => ({ kind: "FailingEndpoint" as const, ...endpoint, since: formatInstant(since) })),
    ...schedules.map(({ kind, key, ...one }) => ({ kind: "ScheduledChangeFailed" as const, ...one, definition: { kind, key } })),
    ...(quarantined === 0 ? [] : [{ kind: "QuarantinedFacts" as const, count: quarantined }]),
    ...(await runningOut(context, names)),
    ...definitions.missions.flatMap(({ id, active, window: { endsAt } }) =>
      active && endsAt !== null && endsAt > now && endsAt <= now + WEEK_MS
        ? [{ kind: "MissionEnding" as const, mission: names.subject(id), endsAt: formatInstant(endsAt) }]
        : [],
    ),
    ...(texts.unknown === null ? [] : [{ kind: "UnknownLanguages" as const, ...texts.unknown }]),
    ...(texts.missing === null ? [] : [{ kind: "MissingTranslations" as const, ...texts.missing }]),
  ];
}

async function runningOut({ sql, definitions, now }: ReportContext, names: Names) {
  const limited = definitions.listings.flatMap((listing) =>
    isOffered(listing, now) && listing.stock !== null
      ? [{ listingId: listing.id, stock: listing.stock, round: roundAt(listing, now, definitions.timeZone).start }]
      : [],
  );
  const sold = await loadUnitsSold(sql, limited);
  return limited.flatMap(({ listingId, stock }) => {
    const left = Math.max(stock - (sold.get(listingId) ?? 0), 0);
    return left <= stock * LITTLE ? [{ kind: "StockRunningOut" as const, listing: names.subject(listingId), left, stock }] : [];
  });
}
