import { type Calendar, type Period, periodAt, periodFrom } from "../kernel/time.ts";

/** Until the instant `at` (epoch milliseconds on the environment's clock) the project was in `zone`. */
export interface ZoneChange {
  at: number;
  zone: string;
}

/** A period that had begun when the project moved to another zone: it keeps its old bounds. */
export type BegunPeriod = Pick<Period, "start" | "startsAt">;

/** What a calendar board keeps of its project's moves to other zones. */
export interface ZonesPassed {
  begun: BegunPeriod | null;
  /** The project's zone when the board was created; null if the project has not moved since. */
  firstZone: string | null;
}

/** The fields of a board that zone changes depend on. */
interface Zoned {
  period: { kind: "AllTime" | "Season" } | { kind: "Calendar"; every: Calendar };
  createdAt: number;
}

/** What a board keeps of the zone changes since its creation; `changes` are in order. */
export function zonesPassed({ period, createdAt }: Zoned, changes: readonly ZoneChange[]): ZonesPassed {
  const since = changes.filter(({ at }) => at > createdAt);
  if (period.kind !== "Calendar") return { begun: null, firstZone: null };
  let begun: BegunPeriod | null = null;
  for (const { at, zone } of since) {
    const { start, startsAt } = calendarPeriodAt(period.every, begun, at, zone);
    begun = { start, startsAt };
  }
  return { begun, firstZone: since[0]?.zone ?? null };
}

/**
 * The calendar period that an instant lies in. Where a move to another zone makes two periods overlap, an instant belongs to the later one:
 * a period that has begun does not begin again, and the earlier one is over.
 */
export function calendarPeriodAt(every: Calendar, begun: BegunPeriod | null, instant: number, zone: string): Period {
  const period = periodAt(instant, zone, every);
  if (begun === null || period.start > begun.start) return period;
  return calendarPeriodFrom(every, begun, period.start < begun.start && instant >= begun.startsAt ? begun.start : period.start, zone);
}

export function calendarPeriodFrom(every: Calendar, begun: BegunPeriod | null, start: string, zone: string): Period {
  const period = periodFrom(start, every, zone);
  if (begun === null || start > begun.start) return period;
  if (start === begun.start) return { ...period, startsAt: Math.min(period.startsAt, begun.startsAt) };
  return { ...period, endsAt: Math.min(period.endsAt, begun.startsAt) };
}
