import { dateOf, dateRange, instantInWords, longDate, timeOf } from "../../server/model/kernel/dates.ts";
import type { BoardPeriod } from "../client/service.tsx";
import { formatDay, parseDay } from "../../server/model/kernel/calendar.ts";
import { addressOf, day, indexPair, type Scope, type StateOf, textUpTo } from "../client/address.ts";

/** All groups of a league together. */
export const ALL = "all";

/**
 * A period's start, a player's ID or a team, and a group of a league or "all" of them; by default the newest period, no search, and the
 * first group of the highest tier.
 */
export const BOARD = addressOf({ period: day, around: textUpTo(200), group: (text) => (text === ALL ? ALL : indexPair(text)) });

export type BoardView = StateOf<typeof BOARD>;

/** A group of a league, both counted from 0. */
export interface Seat {
  tier: number;
  group: number;
}

/** "0.12": a group in the address. */
export const groupOf = ({ tier, group }: Seat): string => `${tier}.${group}`;

/** The selected group; null for all. `groups` has the number per tier, the lowest first; it is empty before players have seats. */
export function seatOf({ group, around }: BoardView, groups: readonly number[]): Seat | null {
  if (group === ALL) return null;
  if (group === null) {
    const highest = groups.findLastIndex((count) => count > 0);
    return around !== null || highest === -1 ? null : { tier: highest, group: 0 };
  }
  const [tier, index] = group.split(".").map(Number) as [number, number];
  return { tier, group: index };
}

/** The input of the periods query; the server prefetches with the same. */
export const periodsInput = (scope: Scope, key: string, cursor: string | null = null) => ({ ...scope, key, cursor });

/** The input that reads the period of the address alone: the list has the newest ones first, and it may be older. */
export const namedPeriodInput = (scope: Scope, key: string, start: string | null) => ({
  ...periodsInput(scope, key, start && formatDay(parseDay(start) + 1)),
  limit: 1,
});

/**
 * The period in view, of a page of the list and of what `namedPeriodInput` reads; undefined while that is not known, and where the board has
 * none of this start. By default it is the current one; one that is carried over or starts early may precede it.
 */
export function periodInView<One extends { start: string; state: string }>(
  start: string | null,
  periods: readonly One[],
  named: readonly One[] | undefined,
): One | undefined {
  if (start === null) return periods.find(({ state }) => state !== "Upcoming") ?? periods[0];
  const isWanted = (one: One) => one.start === start;
  return periods.find(isWanted) ?? named?.find(isWanted);
}

/** A period in a select: its start and its state, such as "10 Mar 2031 · current". */
export const periodOption = ({ start, state }: BoardPeriod): string =>
  `${start === "" ? "All time" : longDate(start)} · ${state.toLowerCase()}`;

/** Why a period cannot be settled by hand; null if it can, or if it is settled already. */
export function refusalWords(refusal: BoardPeriod["settleRefusal"], settlesAt: string | null): string | null {
  switch (refusal) {
    case "Live":
      return `Live uses real time. This period settles automatically${settlesAt === null ? "" : ` on ${settlesAt}`}.`;
    case "Endless":
      return "This leaderboard has no end, so it never settles.";
    case "Off":
      return "The leaderboard is off. It settles once it is switched on again.";
    case "Settled":
    case null:
      return null;
  }
}

/** "23 Nov – 29 Nov 2026": whole days of the zone as dates, anything else as instants. */
export function periodInWords(startsAt: string | null, endsAt: string | null, timeZone: string): string {
  if (startsAt !== null && endsAt !== null && timeOf(startsAt, timeZone) === "00:00" && timeOf(endsAt, timeZone) === "00:00")
    return dateRange(dateOf(startsAt, timeZone), dateOf(Date.parse(endsAt) - 1, timeZone));
  const from = startsAt === null ? "From the beginning" : instantInWords(startsAt, timeZone);
  return `${from} – ${endsAt === null ? "no end" : instantInWords(endsAt, timeZone)}`;
}
