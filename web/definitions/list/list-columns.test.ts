import { expect, it } from "vitest";
import { type ListStatus, statusOf } from "./list-columns.tsx";

const [BEFORE, NOW, AFTER] = ["2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z", "2026-03-03T00:00:00.000Z"];

it.each<[active: boolean, summary: Record<string, string | null>, status: ListStatus]>([
  [true, {}, null],
  [true, { startsAt: BEFORE, endsAt: AFTER }, null],
  [true, { startsAt: NOW, endsAt: null }, null],
  [true, { startsAt: AFTER, endsAt: null }, "Scheduled"],
  [true, { startsAt: null, endsAt: NOW }, "Ended"],
  [false, { startsAt: AFTER, endsAt: null }, "Off"],
])("a definition that is on: %s, with %j, is said to be %s", (active, summary, status) =>
  expect(statusOf({ active, summary }, NOW)).toBe(status),
);
