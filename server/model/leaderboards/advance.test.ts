import { describe, expect, test } from "vitest";
import type { Leaderboard } from "../definitions/compiled.ts";
import { advance } from "../../engine/advance.ts";
import { definitionsWith, entry, mission, newcomer, NOON, objective, order, RETURN, tier, TIER } from "../missions/testing.ts";
import type { ScoreChangeEffect } from "../rules/effects.ts";
import type { Fact } from "../kernel/facts.ts";
import type { Player } from "../kernel/player.ts";
import type { Condition } from "../rules/condition.ts";
import { leaderboard } from "./testing.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEVEL = 4;

const play = (boards: readonly Leaderboard[], facts: readonly Fact[], player: Player = newcomer(), zone = "UTC") =>
  advance(
    player,
    definitionsWith([mission({ objectives: [objective({ definitionId: RETURN })] })], zone, [], [], boards),
    facts,
  ).effects.filter((effect): effect is ScoreChangeEffect => effect.kind === "scoreChange");

const weekly = (parts: Partial<Leaderboard> = {}) => leaderboard({ period: { kind: "Calendar", every: "Week" }, ...parts });
/** Monday. */
const MONDAY = Date.UTC(2026, 2, 16);
const withAttributes = (values: Record<number, string | number>, occurredAt = NOON) =>
  newcomer({ attributes: new Map(Object.entries(values).map(([id, value]) => [Number(id), { value, occurredAt }])) });

describe("an event", () => {
  test("scores for the board's event where the filter passes", () => {
    const where = { property: "drink", type: "String", operator: "EqualTo", value: "latte" } as const;
    const boards = [leaderboard({ where }), leaderboard({ id: 31, definitionId: RETURN })];
    const changes = play(boards, [order(1, { properties: { drink: "latte" } }), order(2)]);
    expect(changes).toMatchObject([{ leaderboardId: 30, team: null, seq: 1, change: { by: "Sum", value: 1 } }]);
  });

  test("scores the measured value, and nothing without one", () => {
    const boards = [
      leaderboard({ measure: { kind: "Max", property: "amount" } }),
      leaderboard({ id: 31, measure: { kind: "Sum", property: null } }),
    ];
    const changes = play(boards, [order(1, { properties: { amount: 2.5 }, value: 9 }), order(2)]);
    expect(changes.map(({ leaderboardId, change }) => [leaderboardId, change.by, change.value])).toEqual([
      [30, "Max", 2.5],
      [31, "Sum", 9],
    ]);
  });

  test("belongs to the period that it happened in, in the project's zone", () => {
    const at = (seq: number, occurredAt: number) => order(seq, { occurredAt, receivedAt: occurredAt });
    const late = MONDAY - HOUR / 2;
    expect(play([weekly()], [at(1, late)]).map(({ period }) => [period.start, period.number])).toEqual([["2026-03-09", 0]]);
    expect(
      play([weekly()], [at(1, late)], newcomer({ timeZone: "UTC" }), "Europe/Amsterdam").map(({ period }) => [period.start, period.number]),
    ).toEqual([["2026-03-16", 1]]);
  });

  test("counts if it is received after the board was created and before the period is settled", () => {
    const received = (receivedAt: number) => play([weekly()], [order(1, { occurredAt: NOON, receivedAt })]).length;
    const created = weekly().createdAt;
    expect([received(created - 1), received(created), received(MONDAY + 600_000 - 1), received(MONDAY + 600_000)]).toEqual([0, 1, 1, 0]);
  });

  test("scores in a season only if it happened in its time, and never before the first period", () => {
    const season = leaderboard({ period: { kind: "Season", startsAt: NOON, endsAt: NOON + DAY } });
    const at = (occurredAt: number) => play([season], [order(1, { occurredAt, receivedAt: NOON + HOUR })]).length;
    expect([at(NOON - 1), at(NOON), at(NOON + DAY - 1), at(NOON + DAY)]).toEqual([0, 1, 1, 0]);
    expect(play([weekly()], [order(1, { occurredAt: NOON - 14 * DAY })])).toEqual([]);
  });

  test("scores for the player's team; without a team it scores nothing", () => {
    const board = leaderboard({ teamAttributeId: TIER });
    expect(play([board], [order(1)], withAttributes({ [TIER]: "red" }))).toMatchObject([{ team: "red" }]);
    expect(play([board], [order(1)])).toEqual([]);
  });

  test("scores only for players in the audience", () => {
    const rule: Condition = { kind: "attribute", attributeId: TIER, operator: "EqualTo", value: "gold" };
    const board = leaderboard({ audience: { rule, otherwise: "Locked" } });
    expect(play([board], [order(1)], withAttributes({ [TIER]: "gold" }))).toHaveLength(1);
    expect(play([board], [order(1)], withAttributes({ [TIER]: "silver" }))).toHaveLength(0);
  });

  test("scores nothing on a board that is switched off", () => expect(play([leaderboard({ active: false })], [order(1)])).toEqual([]));
});

test("only points that this fact granted score, as of the instant of the grant", () => {
  const board = weekly({ scoreSource: "Points", definitionId: null, measure: null });
  const changes = play(
    [board],
    [entry(1), order(2, { definitionId: RETURN, occurredAt: NOON - 30 * DAY }), order(3, { definitionId: RETURN })],
  );
  expect(changes).toMatchObject([{ seq: 2, period: { start: "2026-03-09" }, change: { by: "Sum", value: 10 } }]);
});

describe("an attribute", () => {
  const levels = (parts: Partial<Leaderboard> = {}) =>
    leaderboard({ scoreSource: "Attribute", definitionId: LEVEL, measure: null, ...parts });
  const level = (value: number, at: { occurredAt?: number; receivedAt?: number } = {}): Fact => ({
    kind: "attribute",
    seq: 1,
    attributeId: LEVEL,
    value,
    occurredAt: NOON,
    receivedAt: NOON,
    ...at,
  });

  test("is the player's score", () => {
    expect(play([levels()], [level(7)])).toMatchObject([{ change: { by: "Set", value: 7 }, period: { start: "" } }]);
  });

  test("counts in every unsettled period that it reaches back to", () => {
    const starts = (occurredAt: number, receivedAt: number) =>
      play(
        [levels({ period: { kind: "Calendar", every: "Week" }, createdAt: MONDAY - 30 * DAY, settleAfterMs: 8 * DAY })],
        [level(7, { occurredAt, receivedAt })],
      ).map(({ period }) => period.start);
    expect(starts(MONDAY + HOUR, MONDAY + HOUR)).toEqual(["2026-03-16"]);
    expect(starts(MONDAY - HOUR, MONDAY + HOUR)).toEqual(["2026-03-09", "2026-03-16"]);
    // The week before the last is settled eight days after its end.
    expect(starts(MONDAY - 8 * DAY, MONDAY + HOUR)).toEqual(["2026-03-02", "2026-03-09", "2026-03-16"]);
    expect(starts(MONDAY - 8 * DAY, MONDAY + 2 * DAY)).toEqual(["2026-03-09", "2026-03-16"]);
    expect(starts(MONDAY + 8 * DAY, MONDAY + HOUR)).toEqual(["2026-03-16"]);
  });

  test("counts in a season that has not begun, and in an ended one that is not settled", () => {
    const season = levels({ period: { kind: "Season", startsAt: MONDAY, endsAt: MONDAY + DAY }, settleAfterMs: HOUR });
    const holds = (occurredAt: number, receivedAt: number) => play([season], [level(7, { occurredAt, receivedAt })]).length === 1;
    expect(holds(NOON, NOON)).toBe(true);
    expect(holds(NOON, MONDAY + DAY + HOUR / 2)).toBe(true);
    expect(holds(MONDAY + DAY, MONDAY + DAY + HOUR / 2)).toBe(false);
    expect(holds(NOON, MONDAY + DAY + HOUR)).toBe(false);
  });

  test("moves with the player to another team", () => {
    const board = levels({ teamAttributeId: TIER });
    expect(play([board], [tier(1, "red")], withAttributes({ [LEVEL]: 7 }))).toMatchObject([{ team: "red", change: { value: 7 } }]);
    expect(play([board], [tier(1, "red")])).toEqual([]);
  });

  test("counts, however old it is, once another attribute brings the player into the audience", () => {
    const rule: Condition = { kind: "attribute", attributeId: TIER, operator: "EqualTo", value: "gold" };
    const board = levels({ audience: { rule, otherwise: "Locked" } });
    expect(play([board], [tier(1, "gold")], withAttributes({ [LEVEL]: 7 }))).toHaveLength(1);
    expect(play([board], [tier(1, "gold")], withAttributes({ [LEVEL]: 7 }, board.createdAt - 1))).toHaveLength(1);
    expect(play([board], [tier(1, "silver")], withAttributes({ [LEVEL]: 7 }))).toHaveLength(0);
  });
});
