import type { Sql } from "#db/client.ts";
import { loadEnvironment } from "#server/engine/environment.ts";
import { selectZoneChanges } from "#server/engine/store/zones.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { type Figure, ruleOf } from "#server/model/alerts/figures.ts";
import { type HourRow, Hours } from "#server/model/alerts/judge.ts";
import { localDate, shiftDate } from "#server/model/kernel/time.ts";
import type { CountedMeasure } from "#server/model/kernel/counts.ts";
import { completeEpoch, epochOf } from "../store/counting.ts";
import { firstDayOf, type Population, selectWanted, sumBefore, type WantedSum } from "../store/sums.ts";
import { type HourSum, selectAttemptHours, selectHours, selectWholeHours } from "../store/hours.ts";

export { completeEpoch };

/**
 * A figure by hours, of all definitions or of one, for some days up to `now` (on the environment's clock), from the sums that analytics
 * keeps. No log is read.
 */
export async function readHours(
  sql: Sql,
  environment: Environment,
  { figure, subject }: { figure: Figure; subject: number | null },
  now: number,
  days: number,
): Promise<Hours> {
  const { id, timeZone } = environment;
  const end = shiftDate(localDate(now, timeZone), 1);
  const from = shiftDate(end, -days);
  if (figure === "DeliveriesFailedShare") {
    const rows = await selectAttemptHours(sql, environment, from, end);
    const terms = ["failed", "delivered"].map((measure) => ({ measure, field: "count", sign: 1 }) as const);
    return new Hours(figure, { rows: rowsOf(rows, terms), before: 0, since: firstOf(rows), timeZone });
  }
  const rule = ruleOf(figure);
  const terms = subject === null ? (rule.whole ?? []) : rule.one;
  const population: Population = { environmentId: id, epoch: await epochOf(sql, id), timeZone, segment: null };
  const whole = terms.map(({ measure }) => measure).filter((measure) => measure.startsWith("hour."));
  const single = terms.map(({ measure }) => measure).filter((measure) => !measure.startsWith("hour."));
  const [ofAll, ofOne] = await Promise.all([
    whole.length === 0 ? [] : selectWholeHours(sql, population, whole, from, end),
    single.length === 0 ? [] : selectHours(sql, id, subject, single, from, end),
  ]);
  const rows = [...ofAll, ...ofOne];
  const isLevel = rule.type === "level";
  const before = isLevel ? await levelBefore(sql, population, terms, from) : 0;
  // The days of reports, as the sums by hour of one definition are deleted after two months: a longer silence is still a silence.
  const since = await firstDayOf(
    sql,
    population,
    terms.map(({ measure }) => measure),
    subject,
  );
  // Sums by hour of one definition are not counted again after a change of the zone.
  const moved = single.length === 0 ? null : ((await selectZoneChanges(sql, id)).at(-1) ?? null);
  return new Hours(figure, { rows: rowsOf(rows, terms), before, since, timeZone, moved });
}

type Terms = readonly { measure: string; field: "count" | "amount"; sign: 1 | -1 }[];

async function levelBefore(sql: Sql, population: Population, terms: Terms, from: string): Promise<number> {
  const sums = await sumBefore(
    sql,
    population,
    terms.map(({ measure }) => measure as CountedMeasure),
    from,
  );
  return terms.reduce((level, { measure, sign }) => level + sign * Number(sums.get(measure) ?? 0), 0);
}

function rowsOf(sums: readonly HourSum[], terms: Terms): HourRow[] {
  const rows = new Map<string, HourRow>();
  for (const { measure, day, hour, ...values } of sums) {
    const name = `${day} ${hour}`;
    let row = rows.get(name);
    if (row === undefined) rows.set(name, (row = { day, hour, terms: terms.map(() => 0) }));
    for (const [at, term] of terms.entries()) if (term.measure === measure) row.terms[at]! += term.sign * values[term.field];
  }
  return [...rows.values()];
}

const firstOf = (rows: readonly HourSum[]): string | null =>
  rows.reduce<string | null>((first, { day }) => (first === null || day < first ? day : first), null);

/** Sums of single definitions, as reports show them now. */
export const readWanted = async (sql: Sql, environmentId: number, wanted: readonly WantedSum[]): Promise<number[]> =>
  selectWanted(sql, environmentId, await epochOf(sql, environmentId), wanted);

/** The environment of an alert, with the present time on its clock; null if it is gone. */
export async function openEnvironment(sql: Sql, id: number, realNow: number): Promise<{ environment: Environment; now: number } | null> {
  const environment = await loadEnvironment(sql, id);
  return environment && { environment, now: realNow + environment.clockOffsetMs };
}
