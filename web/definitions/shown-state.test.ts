import { expect, it } from "vitest";
import { type ShownState, stateOf } from "./shown-state.ts";

const [BEFORE, NOW, AFTER] = ["2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z", "2026-03-03T00:00:00.000Z"];

it.each<[active: boolean, dates: Record<string, string | null>, state: ShownState]>([
  [true, {}, "Active"],
  [true, { startsAt: BEFORE, endsAt: AFTER }, "Active"],
  [true, { startsAt: NOW, endsAt: null }, "Active"],
  [true, { startsAt: AFTER, endsAt: null }, "Scheduled"],
  [true, { startsAt: null, endsAt: NOW }, "Ended"],
  [false, { startsAt: AFTER, endsAt: null }, "Off"],
])("a definition with active %s and %j is %s", (active, dates, state) => expect(stateOf(active, dates, NOW)).toBe(state));
