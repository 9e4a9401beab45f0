import { expect, test } from "vitest";
import type { Backend } from "../backend.ts";
import { board } from "../boards.ts";
import { chance } from "../../rehearsals/crash/chance.ts";
import { atLeast, listing, market, measured, mission, points } from "../definitions.ts";
import { startService } from "../listening.ts";
import { DAY, localDay, periodOf, startOf } from "./local-periods.ts";

/* Months of daily missions, weekly leagues and monthly periods, compared with an independent calculation: one day, week and month after
   the other, from the events sent. Nothing here is shared with the service. */

const HOUR = 3_600_000;
const STEP = 31 * HOUR;

const startOfDay = (day: number, zone: string) => startOf(day, zone, "Day");
const weekOf = (at: number, zone: string) => periodOf(at, zone, "Week");
const endOfWeek = (week: number, zone: string) => startOf(week + 1, zone, "Week");
const monthOf = (at: number, zone: string) => periodOf(at, zone, "Month");

const iso = (at: number) => new Date(at).toISOString();

/** Clocks change in Amsterdam and New York in spring and autumn, in Auckland the other way round, in Kolkata never. */
const PLAYERS: Record<string, string> = {
  ams: "Europe/Amsterdam",
  nyc: "America/New_York",
  akl: "Pacific/Auckland",
  ccu: "Asia/Kolkata",
};
const PROJECT_ZONE = "America/New_York";
const SPRING = [Date.UTC(2038, 2, 8, 5), Date.UTC(2038, 3, 12)] as const;
const AUTUMN = [Date.UTC(2038, 8, 20, 5), Date.UTC(2038, 10, 16)] as const;

/**
 * The instants of the steps: every 31 hours, so each hour of a day in turn; and a minute before and after each month of the project
 * begins, and each day of another length in any zone begins and ends.
 */
function instantsBetween(from: number, to: number): number[] {
  const instants = Array.from({ length: Math.ceil((to - from) / STEP) }, (_, step) => from + (step + 1) * STEP);
  const [first, last] = [localDay(from, PROJECT_ZONE) + 1, localDay(to, PROJECT_ZONE)];
  for (const zone of new Set([PROJECT_ZONE, ...Object.values(PLAYERS)]))
    for (let day = first; day < last; day++) {
      const [before, start, end] = [startOfDay(day - 1, zone), startOfDay(day, zone), startOfDay(day + 1, zone)];
      const isMonth = zone === PROJECT_ZONE && new Date(day * DAY).getUTCDate() === 1;
      if (isMonth || start - before !== DAY || end - start !== DAY) instants.push(start - 60_000, start + 60_000);
    }
  return [...new Set(instants)].sort((a, b) => a - b);
}

/**
 * The expected entries of a mission of two orders a day. An order counts for its day if the player had entered that day before, and until a
 * day after the day's end. Reading the mission enters today; after a first read, so does an order of today.
 */
class Days {
  readonly #zone: string;
  /** Orders counted so far by day. */
  readonly entered = new Map<number, number>();

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Enters today; returns that day, and the orders counted in it. */
  read(now: number): [day: number, counted: number] {
    const today = localDay(now, this.#zone);
    const counted = this.entered.get(today) ?? 0;
    this.entered.set(today, counted);
    return [today, counted];
  }

  order(at: number, now: number): void {
    const day = localDay(at, this.#zone);
    if (this.entered.size > 0 && day === localDay(now, this.#zone) && !this.entered.has(day)) this.entered.set(day, 0);
    const counted = this.entered.get(day);
    const isOpen = now < startOfDay(day + 1, this.#zone) + DAY;
    if (counted !== undefined && counted < 2 && isOpen) this.entered.set(day, counted + 1);
  }

  completed(): number[] {
    return [...this.entered].flatMap(([day, count]) => (count === 2 ? [day] : [])).sort((a, b) => b - a);
  }
}

const TIERS = ["bronze", "silver", "gold"];
const [GROUP, UP, DOWN] = [4, 1, 2];
const SETTLE = 25 * HOUR;

interface Seat {
  tier: number;
  rank: number;
  participants: number;
  outcome: string;
}

/** A weekly league: its scores, and the outcome when a week is settled. */
class League {
  readonly tier = new Map<string, number>();
  readonly prizes = new Map<string, number>();
  /** The players of a week in the order of their first scores; a score with the position at which it was reached. */
  readonly #weeks = new Map<number, Map<string, { score: number; reached: number }>>();
  #places = 0;
  #settled: number;
  /** The outcome of each player in the week settled last. */
  last = new Map<string, Seat>();

  constructor(firstWeek: number) {
    this.#settled = firstWeek - 1;
  }

  score(player: string, at: number, amount: number): void {
    const week = weekOf(at, PROJECT_ZONE);
    if (week <= this.#settled) return;
    const scores = this.#weeks.get(week) ?? new Map<string, { score: number; reached: number }>();
    this.#weeks.set(week, scores);
    const before = scores.get(player);
    // An amount of zero does not reach the same score once again.
    if (before === undefined || amount > 0) scores.set(player, { score: (before?.score ?? 0) + amount, reached: this.#places++ });
  }

  /** Settles every week that ended long enough ago; whether there was one. */
  settle(now: number): boolean {
    const before = this.#settled;
    while (endOfWeek(this.#settled + 1, PROJECT_ZONE) + SETTLE <= now) this.#close(++this.#settled);
    return this.#settled > before;
  }

  #close(week: number): void {
    const scores = this.#weeks.get(week) ?? new Map();
    this.last = new Map();
    for (const tier of TIERS.keys()) {
      const own = [...scores.keys()].filter((player) => (this.tier.get(player) ?? 0) === tier && !this.last.has(player));
      for (let from = 0; from < own.length; from += GROUP) this.#closeGroup(tier, own.slice(from, from + GROUP), scores);
    }
    for (const [player, { tier, outcome }] of this.last) {
      this.tier.set(player, tier + (outcome === "Promoted" ? 1 : outcome === "Relegated" ? -1 : 0));
    }
  }

  #closeGroup(tier: number, group: string[], scores: Map<string, { score: number; reached: number }>): void {
    const inOrder = group.toSorted((a, b) => {
      const [one, other] = [scores.get(a)!, scores.get(b)!];
      return other.score - one.score || one.reached - other.reached;
    });
    const promoted = tier === TIERS.length - 1 ? 0 : UP;
    const relegated = tier === 0 || group.length < GROUP / 2 ? 0 : DOWN;
    for (const [place, player] of inOrder.entries()) {
      const rank = 1 + inOrder.filter((other) => scores.get(other)!.score > scores.get(player)!.score).length;
      const outcome = place < promoted ? "Promoted" : place >= inOrder.length - relegated ? "Relegated" : "Stayed";
      this.last.set(player, { tier, rank, participants: group.length, outcome });
      if (rank === 1) this.prizes.set(player, (this.prizes.get(player) ?? 0) + 1);
    }
  }
}

const [STOCK, LIMIT] = [3, 1];

/** The sold units of a listing, month by month. */
class Rounds {
  readonly #sold = new Map<number, string[]>();

  buy(player: string, month: number): string | null {
    const sold = this.#sold.get(month) ?? [];
    if (sold.length === STOCK) return "marketplace_item.out_of_stock";
    if (sold.filter((one) => one === player).length === LIMIT) return "marketplace_item.purchase_limit_reached";
    this.#sold.set(month, [...sold, player]);
    return null;
  }

  left = (month: number): number => STOCK - (this.#sold.get(month)?.length ?? 0);
}

const FILE = {
  ...market(
    listing("monthly", { priceInPoints: 0, stock: STOCK, limitPerPlayer: LIMIT, recurrence: { kind: "Calendar", every: "Month" } }),
  ),
  missions: [mission("daily", { objectives: [atLeast(2)], rewards: [points(1)], recurrence: { kind: "Calendar", every: "Day" } })],
  leaderboards: [
    board("league", {
      ...measured("Sum", "amount"),
      period: { kind: "Calendar", every: "Week" },
      settleAfterMinutes: SETTLE / 60_000,
      league: { groupSize: GROUP, tiers: TIERS.map((key) => ({ key, name: key })), promotes: UP, relegates: DOWN },
      prizes: [{ fromRank: 1, toRank: 1, rewards: [points(1)] }],
    }),
  ],
};

const service = await startService();
const backend = await service.sandbox({}, { timeZone: PROJECT_ZONE });
const start = SPRING[0];
await backend.moveTo(iso(start));
await backend.define(FILE);
const { between, oneIn, pick } = chance(7);
const days = new Map(Object.entries(PLAYERS).map(([player, zone]) => [player, new Days(zone)]));
const rivals = Array.from({ length: 11 }, (_, index) => `rival${index}`);
const league = new League(weekOf(start, PROJECT_ZONE));
const rounds = new Rounds();
for (const [playerId, timeZoneId] of Object.entries(PLAYERS)) await backend.post("/v1/players", { playerId, timeZoneId });
for (const playerId of rivals) await backend.customer(playerId);
const outcomes: Record<string, number> = {};
let settled = 0;
let [completions, unfinished] = [0, 0];

test.each([
  ["spring", SPRING],
  ["autumn", AUTUMN],
] as const)(
  "in %s, daily missions in four zones, weekly leagues and monthly rounds, over all changes of the clocks, equal the hand-made calculation",
  async (_, [from, to]) => {
    for (const now of instantsBetween(from, to)) {
      await backend.moveTo(iso(now));
      if (league.settle(now)) {
        settled++;
        for (const { outcome } of league.last.values()) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        await compareLeague(backend, league, rivals, now);
      }
      for (const [player, own] of days) {
        if (oneIn(6)) continue;
        const rows = await backend.missions(player);
        const [today, counted] = own.read(now);
        // A completed mission is gone until the next day.
        const expected = counted < 2 ? [`${today - localDay(start, PLAYERS[player]!)} ${counted}`] : [];
        expect(rows.map(({ occurrenceNumber, objectives }) => `${occurrenceNumber} ${objectives[0].progress.actual.value}`)).toEqual(
          expected,
        );
      }
      const orders = [
        // Now and up to two days ago, many of them close to a midnight somewhere.
        ...Object.keys(PLAYERS).flatMap((player) =>
          Array.from({ length: between(0, 2) }, () => ({ player, at: now - between(0, oneIn(4) ? 48 : 5) * HOUR, amount: 0 })),
        ),
        ...rivals.flatMap((player) =>
          oneIn(6) ? [{ player, at: now - between(0, oneIn(3) ? 30 : 0) * HOUR, amount: between(1, 5) }] : [],
        ),
      ].sort(() => between(0, 1) - 0.5);
      // Events from before the league existed belong to no week of it.
      for (const { player, at, amount } of orders) {
        days.get(player)?.order(at, now);
        if (weekOf(at, PROJECT_ZONE) >= weekOf(start, PROJECT_ZONE)) league.score(player, at, amount);
      }
      const items = orders.map(({ player, at, amount }) => ({ playerId: player, occurredAt: iso(at), properties: { amount } }));
      if (items.length > 0) await backend.play(...items);
      await compareRound(
        backend,
        rounds,
        pick(rivals),
        monthOf(now, PROJECT_ZONE),
        monthOf(now, PROJECT_ZONE) - monthOf(start, PROJECT_ZONE),
      );
    }
    for (const [player, zone] of Object.entries(PLAYERS)) {
      const rows = await backend.missions(player, { includeCompleted: true });
      const completed = rows.filter(({ status }) => status === "Completed");
      completions += completed.length;
      unfinished += days.get(player)!.entered.size - completed.length;
      // Numbered by the boundaries crossed since the mission was created; one that late orders complete comes later.
      const numbers = completed.map(({ occurrenceNumber }) => occurrenceNumber as number).sort((a, b) => b - a);
      expect(numbers, zone).toEqual(
        days
          .get(player)!
          .completed()
          .map((day) => day - localDay(start, zone)),
      );
    }
  },
);

test("many days were completed and many were not, and a dozen weeks were settled, with each outcome", () => {
  expect(Math.min(completions, unfinished)).toBeGreaterThan(50);
  expect(settled).toBeGreaterThanOrEqual(12);
  expect(Math.min(outcomes["Promoted"] ?? 0, outcomes["Relegated"] ?? 0, outcomes["Stayed"] ?? 0)).toBeGreaterThan(5);
});

async function compareLeague(backend: Backend, league: League, rivals: readonly string[], now: number): Promise<void> {
  const names = [...Object.keys(PLAYERS), ...rivals];
  const seen = await Promise.all(
    names.map(async (player) => {
      const { me, participants, league: own } = (await backend.board(player, "league", "&Previous=true")).leaderboard;
      const { balance } = await backend.points(player);
      return `${player} ${own.tierKey} ${me === null ? "-" : `${me.rank}/${participants}`} ${own.outcome} ${player in PLAYERS ? "" : balance}`;
    }),
  );
  const expected = names.map((player) => {
    const seat = league.last.get(player);
    const tier = TIERS[seat?.tier ?? league.tier.get(player) ?? 0];
    const place = seat === undefined ? "-" : `${seat.rank}/${seat.participants}`;
    return `${player} ${tier} ${place} ${seat?.outcome ?? "Stayed"} ${player in PLAYERS ? "" : (league.prizes.get(player) ?? 0)}`;
  });
  expect(seen, iso(now)).toEqual(expected);
}

/** A purchase attempt, and the remaining stock. */
async function compareRound(backend: Backend, rounds: Rounds, player: string, month: number, number: number): Promise<void> {
  const refusal = rounds.buy(player, month);
  const { status, code, json } = await backend.buy(player, "monthly");
  expect([code ?? null, status === 200 ? json.occurrenceNumber : number]).toEqual([refusal, number]);
  const [row] = await backend.shop(player);
  expect([row.occurrenceNumber, row.remainingStock]).toEqual([number, rounds.left(month)]);
}
