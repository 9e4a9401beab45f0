import { expect, test } from "vitest";
import { ACCOUNT_LIMIT, ADDRESS_LIMIT, type Attempts, afterFailure, afterTakingBack, waitInWords, waitOf } from "./attempts.ts";
import { networkOf } from "./browser.ts";

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;

/** `count` failures, each as soon as it is allowed; returns the waits after them, in seconds. */
function waits(count: number, limit = ACCOUNT_LIMIT): number[] {
  let attempts: Attempts | null = null;
  let now = NOW;
  return Array.from({ length: count }, () => {
    attempts = afterFailure(attempts, now, limit);
    const wait = waitOf(attempts, now);
    now += wait;
    return wait / 1000;
  });
}

test("some failures are free, then each doubles the wait, up to a quarter of an hour", () => {
  expect(waits(12)).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
  expect(waits(31, ADDRESS_LIMIT).filter((wait) => wait > 0)).toEqual([30, 60]);
});

test("failures are forgotten a day after the last", () => {
  const many: Attempts = { failures: 40, lastAt: NOW, lockedUntil: NOW + 900_000 };
  expect(afterFailure(many, NOW + DAY, ACCOUNT_LIMIT).failures).toBe(41);
  expect(afterFailure(many, NOW + DAY + 1, ACCOUNT_LIMIT)).toMatchObject({ failures: 1, lockedUntil: null });
});

test("taking back an attempt subtracts one failure, and keeps a lock that others set", () => {
  const within = afterFailure({ failures: 4, lastAt: NOW, lockedUntil: null }, NOW, ACCOUNT_LIMIT);
  expect(within.lockedUntil).not.toBeNull();
  expect(afterTakingBack(within, ACCOUNT_LIMIT)).toMatchObject({ failures: 4, lockedUntil: null });
  const over = afterFailure({ failures: 5, lastAt: NOW, lockedUntil: null }, NOW, ACCOUNT_LIMIT);
  expect(afterTakingBack(over, ACCOUNT_LIMIT)).toMatchObject({ failures: 5, lockedUntil: over.lockedUntil });
});

test.each([
  [900, "a second"],
  [30_000, "30 seconds"],
  [60_000, "60 seconds"],
  [60_001, "2 minutes"],
  [900_000, "15 minutes"],
])("a wait of %d ms is %j", (wait, words) => {
  expect(waitInWords(wait)).toBe(words);
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", null],
  ["", null],
])("sign-ins from %j count for %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
