import { describe, expect, it } from "vitest";
import { blankDraft } from "../document/blank.ts";
import { draftOf } from "../document/draft.ts";
import { COFFEE_BAR } from "../examples.ts";
import type { Kind } from "../../../server/definitions/contract.ts";
import { textOf } from "../../../server/rules/phrase.ts";
import { summaryOf } from "./kinds.ts";

const told = (kind: Kind, changes: object) =>
  Object.fromEntries(
    summaryOf(kind, { ...blankDraft(kind, "en"), ...draftOf(JSON.stringify(changes), "en") }, COFFEE_BAR).map(({ term, phrases }) => [
      term,
      phrases.map(textOf),
    ]),
  );

const order = { event: "order_placed", where: null, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 5 };
const coffees = (value: number) => ({ kind: "CatalogItem", catalogItem: "free_coffee", value });

describe("a definition says in words", () => {
  it("what a mission asks and gives", () => {
    const mission = {
      optIn: "Manual",
      objectiveOrder: "InOrder",
      recurrence: { kind: "AfterCompletion", cooldownHours: 1, maxOccurrences: 100 },
      audience: { rule: { segment: "vip" }, otherwise: "Hidden" },
      window: { startsAt: "2026-01-01T00:00:00.000Z", endsAt: null },
      objectives: [order, { attribute: "tier", operator: "EqualTo", target: "gold" }],
      rewards: [{ kind: "Points", points: 1 }, coffees(2), { kind: "CatalogItem", catalogItem: "cup_colours", value: ["red", "blue"] }],
    };
    expect(told("missions", mission)).toEqual({
      "To do, in this order": ["Order placed at least 5 times", "Tier is gold"],
      Earns: ["1 point, 2 × Free coffee and Cup colours (red and blue)"],
      For: ["Only players for whom this holds: they are in the segment VIP; others do not see it"],
      Starts: ["When the player accepts it"],
      Open: ["From 1 Jan 2026, 01:00 on"],
      Repeats: ["Again after each completion, 1 h after it, at most 100 times"],
      Shown: ["In the feed and in collections"],
    });
  });

  it("what a blank mission still needs", () => {
    expect(told("missions", {})).toMatchObject({
      "To do": ["No objective yet"],
      Earns: ["No reward yet"],
      For: ["Everyone"],
      Open: ["Always"],
      Repeats: ["Once"],
    });
  });

  it("what qualifies a period of a streak", () => {
    const streak = {
      event: "order_placed",
      cadence: "Week",
      freezes: { max: 2, earnEvery: 7 },
      milestones: [{ length: 4, rewards: [coffees(1)] }],
    };
    expect(told("streaks", streak)).toEqual({
      "A week counts with": ["Order placed at least once"],
      Freezes: ["One for every 7 weeks of the run, at most 2 in hand"],
      Milestones: ["4 weeks: Free coffee"],
    });
  });

  it.each<[what: string, changes: object, ranks: string]>([
    [
      "events",
      { event: "order_placed", measure: { kind: "Sum", property: "amount" } },
      "Players by the total amount of Order placed, the highest first",
    ],
    [
      "a metric",
      { scoreSource: "Metric", metric: "steps", measure: { kind: "Sum" }, teamAttribute: "office" },
      "Teams, by Office, by the total value of Steps, the highest first",
    ],
    ["points", { scoreSource: "Points", measure: null }, "Players by points granted by missions and streaks, the highest first"],
    [
      "an attribute",
      { scoreSource: "Attribute", attribute: "age", measure: null, rankOrder: "LowestFirst" },
      "Players by Age, the lowest first",
    ],
  ])("how a leaderboard ranks by %s", (_, changes, ranks) => expect(told("leaderboards", changes).Ranks).toEqual([ranks]));

  it("how a league moves players, and who wins what", () => {
    const league = {
      groupSize: 30,
      tiers: [
        { key: "bronze", name: "Bronze" },
        { key: "gold", name: "Gold" },
      ],
      promotes: 5,
      relegates: 3,
    };
    const prizes = [
      { fromRank: 1, toRank: 1, rewards: [coffees(3)] },
      { fromRank: 2, toRank: 10, rewards: [{ kind: "Points", points: 1000 }] },
    ];
    expect(told("leaderboards", { scoreSource: "Points", measure: null, league, prizes })).toMatchObject({
      Period: ["Anew every week"],
      League: ["2 tiers in groups of 30; the first 5 move up, the last 3 move down"],
      Prizes: ["Rank 1: 3 × Free coffee", "Ranks 2 to 10: 1,000 points"],
    });
  });

  it("what a listing costs", () => {
    const listing = {
      priceInPoints: 1500,
      contents: [{ catalogItem: "free_coffee", value: 5 }],
      stock: 500,
      limitPerPlayer: 2,
      recurrence: { kind: "Calendar", every: "Month" },
    };
    expect(told("marketplaceItems", listing)).toMatchObject({
      Costs: ["1,500 points"],
      Gives: ["5 × Free coffee"],
      "In stock": ["500 every month"],
      "Each player": ["At most 2 every month"],
    });
    expect(told("marketplaceItems", { priceInPoints: 0 })).toMatchObject({ Costs: ["Nothing: it is free"] });
  });
});
