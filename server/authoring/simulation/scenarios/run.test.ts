import { expect, test } from "vitest";
import { EVENTS, fileOf, ITEMS, ATTRIBUTES, order, points } from "#server/model/definitions/testing/in-memory.ts";
import { Rules } from "./rules.ts";
import { readScenarios, runScenarios } from "./run.ts";

const over10 = { ...order, where: { property: "amount", operator: "GreaterThan", value: 10 }, target: 2 };
const DEFINITIONS = fileOf({
  events: EVENTS,
  attributes: ATTRIBUTES,
  catalogItems: ITEMS,
  metrics: [{ key: "distance", name: "Distance", kind: "Number" }],
  segments: [{ key: "buyers", name: "Buyers", rule: { event: "order_placed", operator: order.operator, value: 1 } }],
  missions: [
    { key: "big", name: "Big", objectives: [over10], rewards: points(5) },
    {
      key: "asked",
      name: "Asked",
      optIn: "Manual",
      objectives: [order],
      rewards: [{ kind: "CatalogItem", catalogItem: "coffee", value: 2 }],
    },
  ],
  leaderboards: [
    {
      ...{ key: "runners", name: "Runners", scoreSource: "Metric", metric: "distance", measure: { kind: "Sum", property: null } },
      ...{
        rankOrder: "HighestFirst",
        period: { kind: "Calendar", every: "Week" },
        prizes: [{ fromRank: 1, toRank: 1, rewards: points(100) }],
      },
    },
    {
      ...{ key: "ages", name: "Ages", scoreSource: "Attribute", attribute: "age", rankOrder: "LowestFirst" },
      ...{ period: { kind: "Calendar", every: "Day" }, teamAttribute: "tier" },
    },
  ],
});

function run(steps: object[], more: object = {}) {
  const rules = Rules.of(DEFINITIONS, 0);
  if ("problems" in rules) throw new Error(JSON.stringify(rules.problems));
  const read = readScenarios({ scenarios: [{ name: "One", steps, ...more }] });
  if ("problems" in read) return { passed: false, failures: [], problems: read.problems };
  const { results, problems } = runScenarios(rules, read.file);
  return { ...results[0]!, problems };
}

const placed = (amount: number, more: object = {}) => ({ event: "order_placed", properties: { amount }, ...more });

test("a failed expectation is reported with both values and the reason", () => {
  const expected = { missions: { big: { status: "Completed", progress: 2 } }, points: 5, segments: { buyers: true } };
  const { failures, problems } = run([placed(8), placed(11, { expect: expected })]);
  expect(problems).toEqual([]);
  expect(failures.map(({ path, expected: wanted, actual }) => [path.slice(-2).join("/"), wanted, actual])).toEqual([
    ["big/status", "Completed", "InProgress"],
    ["big/progress", [2], [1]],
    ["expect/points", 5, 0],
  ]);
  expect(failures[0]).toMatchObject({
    step: 2,
    path: ["scenarios", 0, "steps", 1, "expect", "missions", "big", "status"],
    why: ["1 of 2.", "Order placed #1 does not count: amount is 8, needs to be more than 10."],
  });
  expect(failures[2]?.why).toEqual(["Nothing changed the balance."]);
});

test("a file is tried on top of the existing definitions", () => {
  const small = { key: "small", name: "Small", objectives: [order], rewards: points(7) };
  const rules = Rules.of({ version: 1, missions: [small] }, 0, DEFINITIONS);
  const read = readScenarios({ scenarios: [{ name: "Both", steps: [placed(11, { times: 2, expect: { points: 12 } })] }] });
  if ("problems" in rules || "problems" in read) throw new Error("They are sound.");
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("a start that the file moves is tried at a clock past the existing one", () => {
  const opening = (startsAt: string) => ({
    key: "opening",
    name: "Opening",
    objectives: [order],
    rewards: points(7),
    window: { startsAt },
  });
  const before = { ...DEFINITIONS, missions: [opening("2026-01-02T00:00:00Z")] };
  const rules = Rules.of({ version: 1, missions: [opening("2026-01-05T00:00:00Z")] }, Date.parse("2026-01-01T00:00:00Z"), before);
  const steps = [placed(11, { expect: { points: 0 } }), { until: "2026-01-05T00:00:00Z" }, placed(11, { expect: { points: 7 } })];
  const read = readScenarios({ scenarios: [{ name: "Opening", clock: "2026-01-04T00:00:00Z", steps }] });
  if ("problems" in rules || "problems" in read) throw new Error("They are sound.");
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("a refused step is a failure, unless it is expected", () => {
  expect(run([{ accept: "asked" }], { opensApp: false }).failures).toMatchObject([{ expected: null, actual: "mission.not_locked_in" }]);
  expect(run([{ accept: "asked", refused: "mission.not_locked_in" }], { opensApp: false }).failures).toEqual([]);
  expect(run([{ accept: "asked" }, placed(1, { expect: { items: { coffee: 2 }, missions: { asked: "Completed" } } })]).failures).toEqual(
    [],
  );
});

test("an accept is answered as by the API: again after the completion, and of a closed offer beside an earlier occurrence", () => {
  const asked = { key: "daily", name: "Daily", optIn: "Manual", objectives: [{ ...order, target: 5 }], rewards: points(1) };
  const closing = { endsAt: "2026-01-07T00:00:00Z" };
  const daily = { ...asked, recurrence: { kind: "Calendar", every: "Day" }, window: closing };
  const rules = Rules.of({ version: 1, missions: [daily] }, 0, DEFINITIONS);
  const accept = (key: string, refused?: string) => ({ accept: key, ...(refused === undefined ? {} : { refused }) });
  const steps = [
    accept("asked"),
    placed(1),
    accept("asked"),
    accept("daily"),
    // The offer of the next day closes with the mission, while the accepted occurrence is still live for late events.
    { until: "2026-01-06T23:00:00Z" },
    { read: "missions" },
    { until: "2026-01-07T01:00:00Z" },
    accept("daily", "mission.offer_closed"),
  ];
  const read = readScenarios({ scenarios: [{ name: "One", clock: "2026-01-05T12:00:00Z", steps }] });
  if ("problems" in rules || "problems" in read) throw new Error(JSON.stringify([rules, read]));
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("outside a board's audience a player has no rank", () => {
  const board = { key: "gold_runners", name: "Gold runners", scoreSource: "Metric", metric: "distance", rankOrder: "HighestFirst" };
  const rule = { attribute: "tier", operator: "EqualTo", value: "gold" };
  const leaderboards = [{ ...board, measure: { kind: "Sum", property: null }, period: { kind: "AllTime" }, audience: { rule } }];
  const rules = Rules.of({ version: 1, leaderboards }, 0, DEFINITIONS);
  const seen = (rank: number | null, score: number | null) => ({ expect: { leaderboards: { gold_runners: { rank, score } } } });
  const steps = [
    { attribute: "tier", value: "gold" },
    { metric: "distance", value: 5, ...seen(1, 5) },
    { attribute: "tier", value: "silver", ...seen(null, null) },
  ];
  const read = readScenarios({ scenarios: [{ name: "One", steps }] });
  if ("problems" in rules || "problems" in read) throw new Error(JSON.stringify([rules, read]));
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("a week of a board ends with its prize and its webhook; the next begins empty", () => {
  const ran = (player: string, value: number) => ({ metric: "distance", value, player });
  const closed = { event: "leaderboard.period_closed", leaderboardKey: "runners", participants: 2 };
  const days = (count: number) => Array.from({ length: count }, () => ({ event: "leaderboard.period_closed", leaderboardKey: "ages" }));
  const { failures, problems } = run([
    ran("ann", 5),
    ran("bob", 6.5),
    { ...ran("ann", 2), expect: { leaderboards: { runners: { rank: 1, score: 7 } } } },
    { until: "2026-01-12T00:09:59Z", player: "ann", expect: { points: 0, leaderboards: { runners: null } } },
    { wait: "PT1S", player: "ann", expect: { points: 100 } },
    { expect: { webhooks: [closed, ...days(7)] } },
  ]);
  expect(problems).toEqual([]);
  expect(failures).toEqual([]);
});

test("a player who scored for two winning teams gets both prizes, and one prize only once", () => {
  const board = { scoreSource: "Metric", metric: "distance", measure: { kind: "Sum", property: null }, rankOrder: "HighestFirst" };
  const prize = (fromRank: number, toRank: number, amount: number) => ({ fromRank, toRank, rewards: points(amount) });
  const daily = (key: string, prizes: object[]) => ({
    ...{ key, name: key, ...board },
    ...{ period: { kind: "Calendar", every: "Day" }, teamAttribute: "tier", prizes },
  });
  const leaderboards = [daily("alike", [prize(1, 3, 10)]), daily("ranked", [prize(1, 1, 100), prize(2, 2, 50)])];
  const ran = (tier: string, value: number) => [
    { attribute: "tier", value: tier },
    { metric: "distance", value },
  ];
  const steps = [...ran("gold", 5), ...ran("silver", 2), { wait: "P1D", expect: { points: 160 } }];
  const rules = Rules.of({ version: 1, leaderboards }, 0, DEFINITIONS);
  const read = readScenarios({ scenarios: [{ name: "Two teams", steps }] });
  if ("problems" in rules || "problems" in read) throw new Error(JSON.stringify([rules, read]));
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("a player whom the environment has never seen cannot buy, before the app is opened", () => {
  const marketplaceItems = [{ key: "gift", name: "Gift", priceInPoints: 0, contents: [{ catalogItem: "coffee", value: 1 }] }];
  const steps = [{ buy: "gift", refused: "player.not_found" }, { read: "missions" }, { buy: "gift" }, { player: "ann", buy: "gift" }];
  const rules = Rules.of({ version: 1, marketplaceItems }, 0, DEFINITIONS);
  const read = readScenarios({ scenarios: [{ name: "New", players: { ann: {} }, opensApp: false, steps }] });
  if ("problems" in rules || "problems" in read) throw new Error(JSON.stringify([rules, read]));
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test("values that players hold rank their teams, move with them, and carry over to the next period", () => {
  const players = { ann: { attributes: { tier: "gold", age: 30 } }, bob: { attributes: { tier: "silver", age: 20 } } };
  const team = (rank: number, score: number) => ({ leaderboards: { ages: { rank, score } } });
  const steps = [
    { player: "ann", expect: team(2, 30) },
    { wait: "P2D", player: "ann", expect: team(2, 30) },
    { player: "bob", attribute: "tier", value: "gold", expect: team(1, 50) },
    { player: "bob", expect: { leaderboards: { ages: { team: "gold" } } } },
  ];
  expect(run(steps, { players })).toMatchObject({ passed: true, failures: [], problems: [] });
});

test("a value carries over only for players in the audience, who are looked for when a period ends", () => {
  const daily = (key: string, rule: object, prize: number) => ({
    ...{
      key,
      name: key,
      scoreSource: "Attribute",
      attribute: "age",
      rankOrder: "HighestFirst",
      period: { kind: "Calendar", every: "Day" },
    },
    ...{ audience: { rule }, prizes: [{ fromRank: 1, toRank: 1, rewards: points(prize) }] },
  });
  const ofGold = { attribute: "tier", operator: "EqualTo", value: "gold" };
  const leaderboards = [daily("golds", ofGold, 3), daily("customers", { segment: "buyers" }, 5)];
  const players = { ann: { attributes: { tier: "gold", age: 9 } }, bob: { attributes: { age: 7 } } };
  const left = { player: "ann", expect: { leaderboards: { golds: null }, points: 3 } };
  const entered = (balance: number) => ({ player: "bob", expect: { leaderboards: { customers: { rank: 1, score: 7 } }, points: balance } });
  const steps = [
    { player: "ann", attribute: "tier", value: "silver", expect: { leaderboards: { golds: null } } },
    placed(8, { player: "bob", expect: { leaderboards: { customers: null } } }),
    { wait: "P1D" },
    ...[left, entered(5), { wait: "P1D" }],
    ...[left, entered(10)],
  ];
  const rules = Rules.of({ version: 1, leaderboards }, 0, DEFINITIONS);
  const read = readScenarios({ scenarios: [{ name: "Two days", players, steps }] });
  if ("problems" in rules || "problems" in read) throw new Error("They are sound.");
  expect(runScenarios(rules, read.file)).toMatchObject({ problems: [], results: [{ failures: [] }] });
});

test.each<[what: string, steps: object[], path: string, message: string]>([
  ["a misspelt member", [{ evnt: "order_placed" }], "0/evnt", 'there is no member "evnt" here; did you mean "event"?'],
  ["a misspelt event", [placed(1, { event: "order_placd" })], "0/event", 'there is no event "order_placd"; did you mean "order_placed"?'],
  [
    "a property that is missing",
    [{ event: "order_placed" }],
    "0/properties/amount",
    'The event "order_placed" needs the property "amount".',
  ],
  [
    "a misspelt mission",
    [{ expect: { missions: { bog: "Completed" } } }],
    "0/expect/missions/bog",
    'there is no mission "bog"; did you mean "big"?',
  ],
  [
    "a status that there is not",
    [{ expect: { missions: { big: "Complete" } } }],
    "0/expect/missions/big",
    'must be one of "Available", "InProgress", "Completed", "Locked", "Hidden"; did you mean "Completed"?',
  ],
  ["no duration", [{ wait: "1 day" }], "0/wait", "must be a duration such as P1D (a day), PT90M or P2W"],
  [
    "a clock that moves over too many periods",
    [{ wait: "P900Y" }],
    "0",
    "more happens up to here than a scenario may do: move the clock less, or split the scenario",
  ],
  ["a value of another type", [{ attribute: "age", value: "old" }], "0/value", 'The attribute "age" must be a number.'],
])("%s is a problem with its path, and its scenario has not passed", (_, steps, path, message) => {
  const { problems, passed } = run(steps);
  expect(problems.map((one) => [one.path.slice(3).join("/"), one.message])).toContainEqual([path, message]);
  expect(passed).toBe(false);
});
