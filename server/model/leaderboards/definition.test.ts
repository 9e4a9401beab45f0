import { describe, expect, it, test } from "vitest";
import { ATTRIBUTES, DefinitionsInMemory, EVENTS, fileOf, ITEMS, points, problemsOf } from "../definitions/testing/in-memory.ts";

const METRICS = [{ key: "steps", name: "Steps", kind: "Number" }];
const board = (more: object = {}) => ({
  key: "spenders",
  name: "Spenders",
  scoreSource: "Event",
  event: "order_placed",
  rankOrder: "HighestFirst",
  period: { kind: "Calendar", every: "Week" },
  ...more,
});
const of = (scoreSource: string, more: object = {}) => board({ scoreSource, event: null, ...more });
const withBoards = (...leaderboards: object[]) =>
  fileOf({ events: EVENTS, metrics: METRICS, attributes: ATTRIBUTES, catalogItems: ITEMS, leaderboards });
const sum = (property: string) => ({ measure: { kind: "Sum", property } });
const tiers = [
  { key: "bronze", name: "Bronze" },
  { key: "silver", name: "Silver" },
];
const league = { groupSize: 10, tiers, promotes: 3, relegates: 3 };
const season = (startsAt: string, endsAt: string) => ({ period: { kind: "Season", startsAt, endsAt } });
const prize = (fromRank: number, toRank: number) => ({ fromRank, toRank, rewards: points(5) });

describe("a leaderboard", () => {
  it("has its defaults written out, members in the order of the specification", () => {
    const { leaderboards } = DefinitionsInMemory.after(withBoards(board(), of("Points", { key: "points", league }))).export() as any;
    expect(JSON.stringify(leaderboards[0])).toBe(
      JSON.stringify({
        key: "spenders",
        name: { default: "en", texts: { en: "Spenders" } },
        active: true,
        description: null,
        images: {},
        scoreSource: "Event",
        event: "order_placed",
        metric: null,
        attribute: null,
        where: null,
        measure: { kind: "Count" },
        rankOrder: "HighestFirst",
        period: { kind: "Calendar", every: "Week" },
        settleAfterMinutes: 10,
        topSize: 100,
        audience: { rule: null, otherwise: "Locked" },
        teamAttribute: null,
        league: null,
        prizes: [],
      }),
    );
    expect(leaderboards[1]).toMatchObject({ measure: null, league: { tiers: [{ key: "bronze", name: { texts: { en: "Bronze" } } }, {}] } });
  });

  it("is partitioned by the facts that change it", () => {
    const rule = { attribute: "subscribed", operator: "EqualTo", value: true };
    const compiled = DefinitionsInMemory.after(
      withBoards(
        board(sum("amount")),
        of("Metric", { key: "walkers", metric: "steps", measure: { kind: "Max" } }),
        of("Points", { key: "points" }),
        of("Attribute", { key: "oldest", attribute: "age", teamAttribute: "tier", audience: { rule } }),
        board({ key: "off", active: false }),
      ),
    ).compile();
    const attribute = (key: string) => compiled.attributesByKey.get(key)?.id ?? 0;
    const keys = (boards: readonly { key: string }[] = []) => boards.map(({ key }) => key);
    expect(keys(compiled.leaderboardsByEvent.get(compiled.eventsByKey.get("order_placed")?.id ?? 0))).toEqual(["spenders"]);
    expect(keys(compiled.leaderboardsByEvent.get(compiled.metricsByKey.get("steps")?.id ?? 0))).toEqual(["walkers"]);
    expect(keys(compiled.effectLeaderboards)).toEqual(["points"]);
    for (const key of ["age", "tier", "subscribed"]) expect(keys(compiled.leaderboardsByAttribute.get(attribute(key)))).toEqual(["oldest"]);
    expect(compiled.leaderboardsByKey.get("spenders")).toMatchObject({
      settleAfterMs: 600_000,
      measure: { kind: "Sum", property: "amount" },
    });
    expect(compiled.leaderboardsByKey.get("walkers")?.measure).toEqual({ kind: "Max", property: null });
  });

  const AT = "/leaderboards/0";
  test.each<[what: string, board: object, problems: string[]]>([
    ["no event", board({ event: null }), [`${AT}/event: is missing; the scoreSource Event needs the key of its event`]],
    [
      "another source's member",
      board({ metric: "steps", attribute: "age" }),
      [
        `${AT}/metric: cannot be used with the scoreSource Event; leave it out`,
        `${AT}/attribute: cannot be used with the scoreSource Event; leave it out`,
      ],
    ],
    ["an event for points", board({ scoreSource: "Points" }), [`${AT}/event: cannot be used with the scoreSource Points; leave it out`]],
    [
      "a measure of points",
      of("Points", { measure: { kind: "Count" }, where: { property: "a", operator: "EqualTo", value: 1 } }),
      [
        `${AT}/where: cannot be used with the scoreSource Points; leave it out`,
        `${AT}/measure: cannot be used with the scoreSource Points; leave it out`,
      ],
    ],
    [
      "a measure of an attribute",
      of("Attribute", { attribute: "age", measure: { kind: "Max" } }),
      [`${AT}/measure: cannot be used with the scoreSource Attribute; leave it out`],
    ],
    [
      "a text to rank by",
      of("Attribute", { attribute: "tier" }),
      [`${AT}/attribute: needs an attribute of type Number, and "tier" is a String`],
    ],
    [
      "a number for a team",
      board({ teamAttribute: "age" }),
      [`${AT}/teamAttribute: needs an attribute of type String, and "age" is a Number`],
    ],
    ["an unknown event", board({ event: "order_placd" }), [`${AT}/event: there is no event "order_placd"; did you mean "order_placed"?`]],
    ["an unknown team", board({ teamAttribute: "tir" }), [`${AT}/teamAttribute: there is no attribute "tir"; did you mean "tier"?`]],
    [
      "a measure that is no score",
      board({ measure: { kind: "DistinctDays" } }),
      [`${AT}/measure/kind: must be one of "Count", "Sum", "Max", "Min", "Latest"`],
    ],
    [
      "a date for a score",
      board({ measure: { kind: "Max", property: "pickup_at" } }),
      [`${AT}/measure/property: a score is a number; Max needs a property of type Number, and this is a DateTime`],
    ],
    [
      "a text for a score",
      board({ measure: { kind: "Latest", property: "drink" } }),
      [`${AT}/measure/property: a score is a number; Latest needs a property of type Number, and this is a String`],
    ],
    [
      "no property",
      board({ measure: { kind: "Sum" } }),
      [`${AT}/measure/property: is missing; Sum needs the property of the event that it is taken of`],
    ],
    ["no order", board({ rankOrder: undefined }), [`${AT}/rankOrder: is missing; it must be one of "HighestFirst", "LowestFirst"`]],
    [
      "no period",
      board({ period: undefined }),
      [`${AT}/period: is missing; it must be an object whose "kind" is "AllTime", "Calendar" or "Season"`],
    ],
    [
      "a season that ends before it starts",
      board(season("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z")),
      [`${AT}/period/endsAt: must be later than startsAt`],
    ],
    [
      "a league without periods",
      board({ period: { kind: "AllTime" }, league }),
      [`${AT}/league: needs periods that follow each other, and the period is AllTime; make it Calendar, or leave the league out`],
    ],
    [
      "a league of teams",
      board({ teamAttribute: "tier", league }),
      [`${AT}/league: cannot be combined with teamAttribute: a league moves players between tiers; leave one of the two out`],
    ],
    [
      "a league that moves more than there are",
      board({ league: { ...league, groupSize: 5 } }),
      [`${AT}/league/groupSize: must be at least 6, as many as are promoted and relegated`],
    ],
    [
      "a tier twice",
      board({ league: { ...league, tiers: [...tiers, tiers[0]] } }),
      [`${AT}/league/tiers/2/key: the league has a tier "bronze" already; use another key`],
    ],
    ["a league without tiers", board({ league: { ...league, tiers: [] } }), [`${AT}/league/tiers: must have at least one entry`]],
    ["a prize upside down", board({ prizes: [prize(3, 1)] }), [`${AT}/prizes/0/toRank: must be at least 3, the fromRank`]],
    [
      "two prizes for a rank",
      board({ prizes: [prize(1, 3), prize(3, 5)] }),
      [`${AT}/prizes/1/fromRank: must be above 3: prizes are in the order of ranks, and no rank has two`],
    ],
    [
      "more rewards than can be numbered in a period",
      board({ prizes: Array.from({ length: 33 }, (_, at) => ({ ...prize(at + 1, at + 1), rewards: Array(1_000).fill(points(5)[0]) })) }),
      [`${AT}/prizes: must have at most 32768 rewards in all prizes together`],
    ],
    [
      "an unknown prize",
      board({ prizes: [{ fromRank: 1, toRank: 1, rewards: [{ kind: "CatalogItem", catalogItem: "coffe", value: 1 }] }] }),
      [`${AT}/prizes/0/rewards/0/catalogItem: there is no catalog item "coffe"; did you mean "coffee"?`],
    ],
    [
      "a prize of nothing",
      board({ prizes: [{ fromRank: 1, toRank: 1, rewards: [] }] }),
      [`${AT}/prizes/0/rewards: must have at least one entry`],
    ],
    ["an unknown audience", board({ audience: { rule: { segment: "vip" } } }), [`${AT}/audience/rule/segment: there is no segment "vip"`]],
    [
      "a delay of less than nothing",
      board({ settleAfterMinutes: -1 }),
      [`${AT}/settleAfterMinutes: must be a whole number from 0 to 525600`],
    ],
    ["an empty top", board({ topSize: 0 }), [`${AT}/topSize: must be a whole number from 1 to 10000`]],
  ])("with %s gets a problem with its remedy", (_, one, problems) => expect(problemsOf(withBoards(one))).toEqual(problems));
});

describe("definitions that a leaderboard uses", () => {
  test("cannot be switched off while the leaderboard is active", () => {
    const rewards = [{ kind: "CatalogItem", catalogItem: "coffee", value: 1 }];
    const file = withBoards(
      board({ teamAttribute: "tier", prizes: [{ fromRank: 1, toRank: 1, rewards }] }),
      of("Metric", { key: "walkers", metric: "steps" }),
    );
    const definitions = DefinitionsInMemory.after(file);
    const off = <Item extends { key: string }>(items: readonly Item[], key: string) =>
      items.map((one) => (one.key === key ? { ...one, active: false } : one));
    expect(
      definitions.problems(
        fileOf({
          events: off(EVENTS, "order_placed"),
          metrics: off(METRICS, "steps"),
          attributes: off(ATTRIBUTES, "tier"),
          catalogItems: off(ITEMS, "coffee"),
        }),
      ),
    ).toEqual([
      '/events/0/active: the event "order_placed" cannot be switched off while the leaderboard "spenders" uses it; switch that off first',
      '/metrics/0/active: the metric "steps" cannot be switched off while the leaderboard "walkers" uses it; switch that off first',
      '/attributes/0/active: the attribute "tier" cannot be switched off while the leaderboard "spenders" uses it; switch that off first',
      '/catalogItems/0/active: the catalog item "coffee" cannot be switched off while the leaderboard "spenders" uses it; switch that off first',
    ]);
  });
});

describe("a created leaderboard", () => {
  const WHERE = { property: "drink", operator: "EqualTo", value: "latte" };
  const fixed = (what: string, was: string) =>
    `/leaderboards/0/${what}: the ${what} of a leaderboard cannot change; define a new one under a new key; it is ${was}`;

  test.each<[what: string, before: object, after: object, problems: string[]]>([
    [
      "source",
      board(),
      of("Metric", { metric: "steps" }),
      [fixed("scoreSource", '"Event"'), fixed("event", '"order_placed"'), fixed("metric", "null")],
    ],
    ["filter", board({ where: WHERE }), board(), [fixed("where", '{"property":"drink","operator":"EqualTo","value":"latte"}')]],
    ["measure", board(sum("amount")), board(), [fixed("measure", '{"kind":"Sum","property":"amount"}')]],
    ["order", board(), board({ rankOrder: "LowestFirst" }), [fixed("rankOrder", '"HighestFirst"')]],
    ["period", board(), board({ period: { kind: "Calendar", every: "Day" } }), [fixed("period", '{"kind":"Calendar","every":"Week"}')]],
    ["team", board({ teamAttribute: "tier" }), board(), [fixed("teamAttribute", '"tier"')]],
    [
      "league",
      board({ league }),
      board({ league: { ...league, promotes: 2 } }),
      [fixed("league", '{"groupSize":10,"tiers":["bronze","silver"],"promotes":3,"relegates":3}')],
    ],
  ])("the %s cannot change", (_, before, after, problems) =>
    expect(DefinitionsInMemory.after(withBoards(before)).problems(withBoards(after))).toEqual(problems),
  );

  test("everything else can change: texts, audience, delay, top, prizes, names of tiers", () => {
    const definitions = DefinitionsInMemory.after(withBoards(board({ league, measure: { kind: "Count" } })));
    const renamed = tiers.map(({ key }) => ({ key, name: `The ${key} tier` }));
    const rule = { attribute: "tier", operator: "EqualTo", value: "gold" };
    const after = board({
      name: "Best",
      audience: { rule, otherwise: "Hidden" },
      settleAfterMinutes: 60,
      topSize: 5,
      league: { ...league, tiers: renamed },
      prizes: [prize(1, 3)],
    });
    expect(definitions.changes(withBoards(after))).toEqual([
      "~ leaderboards spenders name settleAfterMinutes topSize audience league prizes",
    ]);
  });

  test("a season can be moved until its start is reached, and its end until the end is reached", () => {
    const [start, end] = ["2026-03-01T00:00:00.000Z", "2026-03-20T00:00:00.000Z"];
    const moved = withBoards(board(season("2026-03-02T00:00:00Z", "2026-03-21T00:00:00Z")));
    const problems = (now: string) =>
      DefinitionsInMemory.after(withBoards(board(season(start, end)))).problems(moved, { now: Date.parse(now) });
    const fixedAt = (member: string, what: string, at: string) =>
      `/leaderboards/0/period/${member}: the ${what} of a season cannot change once it is reached; leave it at ${at}, or define a new leaderboard under a new key`;
    expect(problems("2026-02-28T23:59:59Z")).toEqual([]);
    expect(problems("2026-03-01T00:00:00Z")).toEqual([fixedAt("startsAt", "start", start)]);
    expect(problems("2026-03-20T00:00:00Z")).toEqual([fixedAt("startsAt", "start", start), fixedAt("endsAt", "end", end)]);
  });

  test("the end of a running season cannot be moved into the past, where it would settle by scores reached after it", () => {
    const ending = (end: string) => withBoards(board(season("2026-03-01T00:00:00Z", end)));
    const problems = (now: string) =>
      DefinitionsInMemory.after(ending("2026-03-31T00:00:00Z")).problems(ending("2026-03-20T00:00:00Z"), { now: Date.parse(now) });
    expect(problems("2026-03-19T23:59:59Z")).toEqual([]);
    expect(problems("2026-03-20T00:00:00Z")).toEqual([
      "/leaderboards/0/period/endsAt: the end of a season cannot be moved into the past, since scores reached after it would count; it must be later than 2026-03-20T00:00:00.000Z, the environment's time now",
    ]);
  });
});
