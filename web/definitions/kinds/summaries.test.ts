import { textOf } from "#server/model/rules/phrase.ts";
import { describe, expect, it } from "vitest";
import { draftOf } from "../document/draft.ts";
import { COFFEE_BAR } from "../testing.ts";
import type { Kind } from "#server/model/definitions/contract.ts";
import { blankDraft } from "./drafts.ts";
import { SUMMARIES } from "./summaries.ts";

const summarised = (kind: Kind, changes: object) =>
  Object.fromEntries(
    SUMMARIES[kind]({ ...blankDraft(kind, "en"), ...draftOf(JSON.stringify(changes), "en") }, COFFEE_BAR).map(({ term, phrases }) => [
      term,
      phrases.map(textOf),
    ]),
  );
const mission = summarised.bind(null, "missions");
const streak = summarised.bind(null, "streaks");
const leaderboard = summarised.bind(null, "leaderboards");
const listing = summarised.bind(null, "marketplaceItems");

const order = { event: "order_placed", where: null, measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 5 };
const coffees = (value: number) => ({ kind: "CatalogItem", catalogItem: "free_coffee", value });

describe("a definition in words", () => {
  it("a mission's objectives and rewards", () => {
    const given = {
      optIn: "Manual",
      objectiveOrder: "InOrder",
      recurrence: { kind: "AfterCompletion", cooldownHours: 1, maxOccurrences: 100 },
      audience: { rule: { segment: "vip" }, otherwise: "Hidden" },
      window: { startsAt: "2026-01-01T00:00:00.000Z", endsAt: null },
      objectives: [order, { attribute: "tier", operator: "EqualTo", target: "gold" }],
      rewards: [{ kind: "Points", points: 1 }, coffees(2), { kind: "CatalogItem", catalogItem: "cup_colours", value: ["red", "blue"] }],
    };
    expect(mission(given)).toEqual({
      "Objectives, in order": ["Order placed at least 5 times", "Tier is gold"],
      Rewards: ["1 point, 2 × Free coffee and Cup colours (red and blue)"],
      Audience: ["Specific players: they are in the segment VIP; others do not see it"],
      Entry: ["Opt-in"],
      Availability: ["From 1 Jan 2026, 01:00 on"],
      Repeats: ["After each completion, 1 h later, at most 100 times"],
      "Shown in": ["Feed and collections"],
    });
  });

  it("a mission that repeats at most once", () => {
    expect(mission({ recurrence: { kind: "AfterCompletion", maxOccurrences: 1 } })).toMatchObject({
      Repeats: ["After each completion, at most once"],
    });
  });

  it("the missing parts of a blank mission", () => {
    expect(mission({})).toMatchObject({
      Objectives: ["No objective yet"],
      Rewards: ["No reward yet"],
      Audience: ["Everyone"],
      Availability: ["Always"],
      Repeats: ["Once"],
    });
  });

  it("the qualification of a streak's period", () => {
    const given = {
      event: "order_placed",
      cadence: "Week",
      freezes: { max: 2, earnEvery: 7 },
      milestones: [{ length: 4, rewards: [coffees(1)] }],
    };
    expect(streak(given)).toEqual({
      "A week counts with": ["Order placed at least once"],
      Freezes: ["One for every 7 weeks, at most 2 held"],
      Milestones: ["4 weeks: Free coffee"],
    });
  });

  it("one period and one point in the singular", () => {
    const given = { cadence: "Day", freezes: { max: 1, earnEvery: 1 }, milestones: [{ length: 1, rewards: [coffees(1)] }] };
    expect(streak(given)).toMatchObject({ Freezes: ["One for every 1 day, at most 1 held"], Milestones: ["1 day: Free coffee"] });
    const worth = (points: number) => summarised("pointsValuations", { points, amount: 0.01, currency: "EUR" }).Worth;
    expect([worth(1), worth(100)]).toEqual([["1 point is worth 0.01 EUR"], ["100 points are worth 0.01 EUR"]]);
  });

  it.each<[what: string, changes: object, ranks: string]>([
    [
      "events",
      { event: "order_placed", measure: { kind: "Sum", property: "amount" } },
      "Players by the total amount of Order placed, highest first",
    ],
    [
      "a metric",
      { scoreSource: "Metric", metric: "steps", measure: { kind: "Sum" }, teamAttribute: "office" },
      "Teams, by Office, by the total value of Steps, highest first",
    ],
    ["points", { scoreSource: "Points", measure: null }, "Players by points from missions and streaks, highest first"],
    [
      "an attribute",
      { scoreSource: "Attribute", attribute: "age", measure: null, rankOrder: "LowestFirst" },
      "Players by Age, lowest first",
    ],
  ])("how a leaderboard ranks by %s", (_, changes, ranks) => expect(leaderboard(changes).Ranks).toEqual([ranks]));

  it("a league's moves, and its prizes", () => {
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
    expect(leaderboard({ scoreSource: "Points", measure: null, league, prizes })).toMatchObject({
      Period: ["Every week"],
      League: ["2 tiers in groups of 30; the first 5 move up, the last 3 move down"],
      Prizes: ["Rank 1 of each group: 3 × Free coffee", "Ranks 2 to 10 of each group: 1,000 points"],
    });
  });

  it("a listing's price", () => {
    const given = {
      priceInPoints: 1500,
      contents: [{ catalogItem: "free_coffee", value: 5 }],
      stock: 500,
      limitPerPlayer: 2,
      recurrence: { kind: "Calendar", every: "Month" },
    };
    expect(listing(given)).toMatchObject({
      Price: ["1,500 points"],
      Contents: ["5 × Free coffee"],
      Stock: ["500 per month"],
      "Each player": ["2 per month"],
    });
    expect(listing({ priceInPoints: 0 })).toMatchObject({ Price: ["Free"] });
  });
});
