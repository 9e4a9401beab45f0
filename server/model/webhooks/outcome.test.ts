import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { outcomeOf, readRetryAfter, waitAfter } from "./outcome.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe("an attempt", () => {
  const first = (status: number | null) => outcomeOf(1, { status, retryAfter: null }, 0).status;

  test.each([200, 201, 202, 204, 299])("answered %i is a delivery", (status) => expect(first(status)).toBe("Delivered"));

  test.each([400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 451, 499])("answered %i ends the delivery", (status) =>
    expect(first(status)).toBe("Failed"),
  );

  test.each([null, 301, 302, 304, 307, 308, 408, 429, 500, 501, 502, 503, 504, 599])("answered %s is made again", (status) =>
    expect(first(status)).toBe("Pending"),
  );

  test("ends the delivery at any number if the answer is final, and delivers at any number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (number) => {
        expect(outcomeOf(number, { status: 404, retryAfter: null }, 0)).toEqual({ status: "Failed" });
        expect(outcomeOf(number, { status: 200, retryAfter: null }, 0)).toEqual({ status: "Delivered" });
      }),
    );
  });

  test("that fails for the eighth time is the last", () => {
    expect(outcomeOf(7, { status: 500, retryAfter: null }, 0).status).toBe("Pending");
    expect(outcomeOf(8, { status: 500, retryAfter: 60 * SECOND }, 0)).toEqual({ status: "Failed" });
  });
});

describe("the schedule", () => {
  test("waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => waitAfter(number, 0, null));
    expect(waits).toEqual([5 * SECOND, 300 * SECOND, 1800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, null]);
  });

  test("adds at most a tenth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (number, jitter) => {
        const wait = waitAfter(number, 0, null) ?? 0;
        const spread = waitAfter(number, jitter, null) ?? 0;
        expect(spread).toBeGreaterThanOrEqual(wait);
        expect(spread).toBeLessThanOrEqual(wait * 1.1);
      }),
    );
  });

  test("takes the later of its own instant and the receiver's, at most 24 hours ahead", () => {
    expect(waitAfter(1, 0, 2 * SECOND)).toBe(5 * SECOND);
    expect(waitAfter(1, 0, 90 * SECOND)).toBe(90 * SECOND);
    expect(waitAfter(1, 0, 100 * HOUR)).toBe(24 * HOUR);
    expect(waitAfter(7, 0, 9 * HOUR)).toBe(10 * HOUR);
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 0);

  test.each([
    ["0", 0],
    ["120", 120 * SECOND],
    [" 7 ", 7 * SECOND],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 37 * SECOND],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 37 * SECOND],
    ["Sun Nov  6 08:49:37 1994", 37 * SECOND],
    ["Sun, 06 Nov 1994 08:00:00 GMT", 0],
  ])("%j is read", (header, wait) => expect(readRetryAfter(header, now)).toBe(wait));

  test.each(["", "soon", "-5", "1.5", "1e3", "2026-01-01", "Sun, 99 Nov 1994 08:49:37 GMT"])("%j says nothing", (header) =>
    expect(readRetryAfter(header, now)).toBeNull(),
  );
});
