import { expect, test } from "vitest";
import { ALL, BOARD, namedPeriodInput, periodInView, periodInWords, seatOf } from "./board-view.ts";

const parsed = (query: string) => BOARD.from(Object.fromEntries(new URLSearchParams(query)));

test("the view is restored from its address, and invalid values are ignored", () => {
  const view = { period: "2031-03-10", around: "ann & bob", group: "1.12" };
  expect(parsed(BOARD.queryOf(view))).toEqual(view);
  expect(parsed("?period=soon&group=-1.2&around=")).toEqual({ period: null, around: null, group: null });
  expect(parsed("?period=2026-02-30").period).toBeNull();
  expect(BOARD.queryOf({ period: "", around: null, group: null })).toBe("");
});

test("a league begins with the first group of its highest tier, a search and other boards with everyone", () => {
  expect(seatOf(parsed(""), [3, 1, 0])).toEqual({ tier: 1, group: 0 });
  expect(seatOf(parsed("?group=0.2"), [3, 1, 0])).toEqual({ tier: 0, group: 2 });
  expect(seatOf(parsed(`?group=${ALL}`), [3, 1, 0])).toBeNull();
  expect(seatOf(parsed("?around=ann"), [3, 1, 0])).toBeNull();
  expect(seatOf(parsed(""), [])).toBeNull();
  expect(seatOf(parsed(""), [0, 0])).toBeNull();
});

test("the period of the address is shown, even if it is on another page of the list, and no other one until it is known", () => {
  const of = (start: string, state = "Settled") => ({ start, state });
  const page = [of("2026-11-30", "Upcoming"), of("2026-11-29", "Current"), of("2026-11-28")];
  const old = of("2026-09-01");
  expect(periodInView(null, page, undefined)).toBe(page[1]);
  expect(periodInView("2026-11-28", page, undefined)).toBe(page[2]);
  expect(periodInView(old.start, page, undefined)).toBeUndefined();
  expect(periodInView(old.start, page, [old])).toBe(old);
  expect(periodInView("2026-09-02", page, [old]), "the board has none of this day").toBeUndefined();
  const scope = { project: "acme", environment: "live" } as const;
  expect(namedPeriodInput(scope, "daily", "2026-08-31"), "the newest period before the next day").toMatchObject({
    ...{ cursor: "2026-09-01", limit: 1 },
  });
});

test("a period of whole days is written as dates, any other as instants", () => {
  const between = (startsAt: string | null, endsAt: string | null) => periodInWords(startsAt, endsAt, "Europe/Amsterdam");
  expect(between("2026-11-22T23:00:00Z", "2026-11-29T23:00:00Z")).toBe("23 Nov – 29 Nov 2026");
  expect(between("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z")).toBe("25 Oct 2026");
  expect(between("2026-11-22T08:30:00Z", "2026-11-29T23:00:00Z")).toBe("22 Nov 2026, 09:30 – 30 Nov 2026, 00:00");
  expect(between(null, null)).toBe("From the beginning – no end");
});
