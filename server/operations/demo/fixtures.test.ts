import { describe, expect, test } from "vitest";
import { CUSTOMERS, type Fixture, EXAMPLE_CUSTOMER, fixturesOf, type HistorySpan } from "./history.ts";

const DAY = 86_400_000;
const startsAt = Date.UTC(2026, 1, 27, 13, 20);
const span = { startsAt, endsAt: startsAt + 28 * DAY };
const activity = (of: HistorySpan) => fixturesOf(CUSTOMERS, of, "Europe/Amsterdam");
const fixtures = activity(span);
const of = (id: string) => fixtures.filter(({ playerId }) => playerId === id);
const eventsNamed = (all: readonly Fixture[], event: string) =>
  all.flatMap((fixture) => (fixture.kind === "sendsEvent" && fixture.event === event ? [fixture] : []));

describe("the recorded history of the demo", () => {
  test("is deterministic, or an interrupted load could not be resumed", () => {
    expect(activity(span)).toEqual(fixtures);
    expect(activity({ startsAt: startsAt + DAY, endsAt: span.endsAt })).not.toEqual(fixtures);
  });

  test("lies within its span, in order, and each event of a player has its own key", () => {
    expect(fixtures.every(({ at }, index) => at >= (fixtures[index - 1]?.at ?? startsAt) && at < span.endsAt)).toBe(true);
    const keys = fixtures.flatMap((fixture) =>
      fixture.kind === "sendsEvent" || fixture.kind === "getsPoints" ? [`${fixture.playerId} ${fixture.key}`] : [],
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("begins for every customer with joining, and ends with their leaving", () => {
    for (const { id, joins, leaves } of CUSTOMERS) {
      expect(of(id)[0], id).toMatchObject({ kind: "joins" });
      expect(of(id)[0]!.at, id).toBeGreaterThanOrEqual(startsAt + (joins - 1) * DAY);
      if (leaves !== undefined) expect(of(id).at(-1)!.at, id).toBeLessThan(startsAt + (leaves + 1) * DAY);
    }
  });

  test("gives each customer their own habits of ordering", () => {
    const orders = (id: string) => eventsNamed(of(id), "order_placed");
    const weekday = ({ at }: Fixture) => new Date(at).getUTCDay();
    expect(orders("daan").filter((one) => [1, 2, 3, 4, 5].includes(weekday(one))).length).toBeGreaterThan(12);
    expect(orders("fleur").filter((one) => [0, 6].includes(weekday(one))).length).toBeGreaterThan(orders("fleur").length / 2);
    expect(eventsNamed(of("anouk"), "order_returned").length).toBeGreaterThan(1);
    const largest = (id: string) => Math.max(...orders(id).map(({ properties }) => Number(properties["amount"])));
    expect(largest("willem")).toBeGreaterThan(largest("daan") * 2);
  });

  test("names only customers that exist", () => {
    const ids = CUSTOMERS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const invited = CUSTOMERS.flatMap(({ events: all = [] }) =>
      all.flatMap(([, , { friend }]) => (friend === undefined ? [] : [String(friend)])),
    );
    expect([EXAMPLE_CUSTOMER, ...invited].filter((id) => !ids.includes(id))).toEqual([]);
    expect(invited.length).toBeGreaterThan(5);
    expect(eventsNamed(fixtures, "friend_joined")).toHaveLength(invited.length);
    for (const id of ids) expect(of(id).filter(({ kind }) => kind === "sendsEvent").length, `${id} has recorded visits`).toBeGreaterThan(2);
  });
});
