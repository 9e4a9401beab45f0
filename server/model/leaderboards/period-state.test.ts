import { expect, test } from "vitest";
import { periodState, settleRefusal } from "./period-state.ts";

const WEEK = { startsAt: 100, endsAt: 200, settlesAt: 220 };

test.each([
  ["Open", 50, "Upcoming"],
  ["Open", 100, "Current"],
  ["Open", 199, "Current"],
  ["Open", 200, "Ended"],
  ["Carrying", 200, "Ended"],
  ["Ended", 210, "Ended"],
  ["Seating", 220, "Settling"],
  ["Closing", 220, "Settling"],
  ["Settled", 221, "Settled"],
] as const)("a period at the step %s is, at %i, %s", (step, now, state) => {
  expect(periodState({ ...WEEK, step }, now)).toBe(state);
});

test("a board without an end is always running", () => {
  expect(periodState({ step: "Open", startsAt: null, endsAt: null, settlesAt: null }, 1)).toBe("Current");
});

test("a period can be settled by hand only in the Sandbox, if it has an end and its board is active", () => {
  const open = { ...WEEK, step: "Open" as const };
  const sandbox = { isLive: false, isActive: true };
  expect(settleRefusal(open, sandbox)).toBeNull();
  expect(settleRefusal({ ...open, step: "Settled" }, sandbox)).toBe("Settled");
  expect(settleRefusal({ ...open, settlesAt: null }, sandbox)).toBe("Endless");
  expect(settleRefusal(open, { ...sandbox, isLive: true })).toBe("Live");
  expect(settleRefusal(open, { ...sandbox, isActive: false })).toBe("Off");
});
