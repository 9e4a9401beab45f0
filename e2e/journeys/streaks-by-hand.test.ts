import { expect, test } from "vitest";
import { chance } from "../../rehearsals/crash/chance.ts";
import { points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";
import { type Cadence, DAY, localDay, periodOf, startOf } from "./local-periods.ts";

/* Months of streaks, compared with an independent calculation: one period after the other, from the events. Nothing here is shared
   with the service. */

type Freezes = { max: number; earnEvery: number } | null;

const iso = (at: number) => new Date(at).toISOString();

/** The streak at `now` of a player who qualified in these periods, and the lengths of all runs. */
function byHand(qualified: ReadonlySet<number>, now: number, zone: string, cadence: Cadence, freezes: Freezes) {
  const current = periodOf(now, zone, cadence);
  const runs: number[] = [];
  let [length, inHand, first, last] = [0, 0, 0, 0];
  for (let period = Math.min(...qualified, current); period <= current; period++) {
    if (qualified.has(period)) {
      if (length === 0) first = period;
      last = period;
      length++;
      if (freezes !== null && length % freezes.earnEvery === 0) inHand = Math.min(inHand + 1, freezes.max);
    } else if (length > 0 && period < current) {
      if (inHand > 0) inHand--;
      else {
        runs.push(length);
        length = 0;
      }
    }
  }
  const isLive = length > 0;
  const all = isLive ? [...runs, length] : runs;
  const row = {
    currentLength: length,
    longestLength: Math.max(0, ...all),
    startedAtUtc: isLive ? iso(startOf(first, zone, cadence)) : null,
    // Freezes in hand cover the periods from this one on, or from the one after the last that qualified.
    endsAtUtc: isLive ? iso(startOf(Math.max(last, current - 1) + inHand + 2, zone, cadence)) : null,
    isQualifiedThisPeriod: qualified.has(current),
    freezesAvailable: isLive ? inHand : 0,
  };
  return { row, runs: all };
}

interface Order {
  at: number;
  amount: number;
}

interface Streak {
  key: string;
  cadence: Cadence;
  freezes: Freezes;
  lengths: number[];
  more: object;
  qualifies(orders: readonly Order[], zone: string): boolean;
}

/** Four streaks; the points of a milestone show which streak it belongs to. */
const STREAKS: Streak[] = [
  {
    key: "daily",
    cadence: "Day",
    freezes: { max: 2, earnEvery: 5 },
    lengths: [3, 7, 20],
    more: {},
    qualifies: (orders) => orders.length > 0,
  },
  {
    key: "exactly_one",
    cadence: "Day",
    freezes: null,
    lengths: [2, 4],
    more: { operator: "EqualTo", target: 1 },
    qualifies: (orders) => orders.length === 1,
  },
  {
    key: "weekly",
    cadence: "Week",
    freezes: { max: 1, earnEvery: 3 },
    lengths: [2, 10],
    more: { measure: { kind: "DistinctDays" }, target: 5 },
    qualifies: (orders, zone) => new Set(orders.map(({ at }) => localDay(at, zone))).size >= 5,
  },
  {
    key: "monthly",
    cadence: "Month",
    freezes: { max: 3, earnEvery: 1 },
    lengths: [1, 5],
    more: { measure: { kind: "Sum", property: "amount" }, target: 25 },
    qualifies: (orders) => orders.reduce((sum, { amount }) => sum + 10 * amount, 0) >= 250,
  },
];
const pointsOf = (streak: number, milestone: number) => 10 * (streak + 1) + milestone;

const ZONES: Record<string, string> = {
  ams: "Europe/Amsterdam",
  nyc: "America/New_York",
  scl: "America/Santiago",
  akl: "Pacific/Auckland",
};
/** Between them the clocks change in all of these zones, forward and back, in Santiago at midnight. */
const [FROM, TO] = [Date.UTC(2031, 1, 1), Date.UTC(2031, 11, 1)];
const STEP = 13.7 * DAY;

const service = await startService();

test("months of streaks in four zones, over both changes of the clocks and with late events, equal the hand-made calculation", async () => {
  const streaks = STREAKS.map(({ key, cadence, freezes, lengths, more }, index) => ({
    key,
    name: key,
    event: "order_placed",
    cadence,
    freezes,
    milestones: lengths.map((length, place) => ({ length, rewards: [points(pointsOf(index, place))] })),
    ...more,
  }));
  const backend = await service.sandbox({ ...shop(), streaks });
  const { between, oneIn } = chance(4);
  const received: Record<string, Order[]> = {};
  const late: { playerId: string; order: Order; from: number }[] = [];
  for (const [playerId, timeZoneId] of Object.entries(ZONES)) {
    received[playerId] = [];
    await backend.post("/v1/players", { playerId, timeZoneId });
  }
  const compare = async (now: number) => {
    for (const [playerId, zone] of Object.entries(ZONES)) {
      const rows: any[] = (await backend.get(`/v1/streaks?PlayerId=${playerId}`)).json;
      const expected = STREAKS.map((streak) => ({ streakKey: streak.key, ...standing(streak, received[playerId]!, now, zone).row }));
      expect(rows, `${playerId} at ${iso(now)}`).toMatchObject(expected);
    }
  };
  for (let now = FROM; now < TO; now += STEP) {
    const until = now + STEP;
    await backend.moveTo(iso(until));
    const sent: { playerId: string; order: Order }[] = [];
    for (const playerId of Object.keys(ZONES)) {
      for (let at = now; at < until; at += between(1, 2_200) * 60_000) {
        const order = { at, amount: between(1, 30) / 10 };
        // Many of them minutes from a midnight, and some come months later.
        if (oneIn(12)) late.push({ playerId, order, from: until + between(1, 5) * STEP });
        else sent.push({ playerId, order });
      }
    }
    sent.push(...late.filter(({ from }) => from > now && from <= until));
    sent.sort(() => between(0, 1) - 0.5);
    for (const { playerId, order } of sent) received[playerId]!.push(order);
    await backend.play(...sent.map(({ playerId, order: { at, amount } }) => ({ playerId, occurredAt: iso(at), properties: { amount } })));
    await compare(until);
  }
  for (const [playerId, zone] of Object.entries(ZONES)) {
    const ledger = await backend.transactions(playerId);
    expect(new Set(ledger.map(({ sourceId, amount }) => `${sourceId} ${amount}`)).size).toBe(ledger.length);
    for (const [index, streak] of STREAKS.entries()) {
      const { runs } = standing(streak, received[playerId]!, TO + STEP, zone);
      for (const [place, length] of streak.lengths.entries()) {
        const paid = ledger.filter(({ amount }) => amount === pointsOf(index, place)).length;
        expect(paid).toBeGreaterThanOrEqual(runs.filter((one) => one >= length).length);
      }
    }
  }
});

function standing({ cadence, freezes, qualifies }: Streak, orders: readonly Order[], now: number, zone: string) {
  const periods = Map.groupBy(orders, ({ at }) => periodOf(at, zone, cadence));
  const qualified = new Set([...periods].filter(([, some]) => qualifies(some, zone)).map(([period]) => period));
  return byHand(qualified, now, zone, cadence, freezes);
}
