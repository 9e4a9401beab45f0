import { describe, expect, test } from "vitest";
import { board, boards, players, shown, soon, spent, WEEKLY } from "../boards.ts";
import { atLeast, measured, mission, points } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const bySum = measured("Sum", "amount");
/** For reads that are refused. */
const unread = await service.sandbox(boards(board("spent", bySum)));

describe("ranks", () => {
  test("are competition ranks; of equal scores, the one reached first comes first", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    await players(backend, "ann", "bob", "cid", "dan");
    for (const [name, amount] of Object.entries({ ann: 5, bob: 7, cid: 7, dan: 1 })) await backend.play(spent(name, amount));
    const read = await backend.board("cid", "spent");
    expect(shown(read.top)).toEqual(["1 BOB 7", "1 CID 7", "3 ANN 5", "4 DAN 1"]);
    expect(read.top.map(({ isMe }: any) => isMe)).toEqual([false, true, false, false]);
    expect(read.leaderboard).toMatchObject({ participants: 4, me: { rank: 1, score: 7 }, aggregation: "Sum", isLocked: false });
    expect(read.isSettled).toBe(false);
    await backend.play(spent("dan", 6));
    expect(shown((await backend.board("dan", "spent", "&Top=2&Neighbours=1")).around)).toEqual(["1 CID 7", "1 DAN 7", "4 ANN 5"]);
  });

  test("LowestFirst has the smallest score first", async () => {
    const backend = await service.sandbox(boards(board("golf", { ...measured("Min", "amount"), rankOrder: "LowestFirst" })));
    await players(backend, "ann", "bob");
    await backend.play(spent("ann", 3), spent("bob", 4), spent("ann", 9), spent("bob", -2.5));
    expect(shown((await backend.board("ann", "golf")).top)).toEqual(["1 BOB -2.5", "2 ANN 3"]);
  });

  test("scores are exact, however wide", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    const wide = "12345678901234567890.12345678";
    await backend.post(
      "/v1/events",
      `{"events":[{"playerId":"ann","event":"order_placed","occurredAt":"2026-01-31T09:00:00Z","properties":{"amount":${wide}}}]}`,
    );
    await backend.play(spent("bob", 0.1), spent("bob", 0.2), spent("ann", 0.00000001));
    expect((await backend.get("/v1/leaderboards/spent?PlayerId=ann")).text).toContain(`"score":12345678901234567890.12345679`);
    expect((await backend.board("bob", "spent")).leaderboard.me.score).toBe(0.3);
  });

  test.each([
    ["Count", [5, 2, 9], 3],
    ["Sum", [5, 2, 9], 16],
    ["Max", [5, 9, 2], 9],
    ["Min", [5, 2, 9], 2],
    ["Latest", [5, 9, 2], 2],
  ])("%s of orders", async (kind, amounts, score) => {
    const backend = await service.sandbox(boards(board("orders", kind === "Count" ? {} : measured(kind, "amount"))));
    await backend.play(...amounts.map((amount) => spent("ann", amount)));
    expect((await backend.board("ann", "orders")).leaderboard).toMatchObject({ aggregation: kind, me: { rank: 1, score } });
  });

  test("Latest goes by occurredAt; an event without a value, or outside the filter, is no score", async () => {
    const where = { property: "drink", operator: "NotEqualTo", value: "tea" };
    const backend = await service.sandbox(boards(board("latest", { ...measured("Latest", "amount"), where })));
    await backend.play({ playerId: "ann" }, spent("ann", 3, { properties: { amount: 3, drink: "tea" } }));
    expect((await backend.board("ann", "latest")).leaderboard).toMatchObject({ me: null, participants: 0 });
    const at = (minute: string) => ({ occurredAt: `2026-01-31T09:${minute}:00Z` });
    await backend.play(spent("ann", 7, at("30")), spent("ann", 1, at("10")));
    expect((await backend.board("ann", "latest")).leaderboard.me.score).toBe(7);
  });
});

describe("sources", () => {
  test("a metric scores its values, or a property of its events", async () => {
    const steps = { scoreSource: "Metric", event: null, metric: "steps" };
    const backend = await service.sandbox(boards(board("walked", { ...steps, measure: { kind: "Sum" } }), board("walks", steps)));
    await backend.add("ann", "steps", 1200.5);
    await backend.add("ann", "steps", 800);
    await backend.applied();
    const [walked, walks] = await backend.boards("ann");
    expect(walked).toMatchObject({ scoreSource: "Metric", aggregation: "Sum", me: { rank: 1, score: 2000.5 } });
    expect(walks).toMatchObject({ aggregation: "Count", me: { rank: 1, score: 2 } });
  });

  test("points are those that missions and streaks grant, and nothing else", async () => {
    const streak = {
      key: "daily",
      name: "Daily",
      event: "order_placed",
      cadence: "Day",
      milestones: [{ length: 1, rewards: [points(5)] }],
    };
    const backend = await service.sandbox({
      ...boards(board("points", { scoreSource: "Points", event: null })),
      missions: [mission("two", { objectives: [atLeast(2)], rewards: [points(30)] })],
      streaks: [streak],
    });
    await backend.missions("ann");
    expect((await backend.adjust("ann", 1000)).status).toBe(200);
    await backend.play({ playerId: "ann" });
    expect((await backend.board("ann", "points")).leaderboard).toMatchObject({
      aggregation: "Sum",
      scoreSource: "Points",
      me: { rank: 1, score: 5 },
    });
    await backend.play({ playerId: "ann" });
    expect((await backend.board("ann", "points")).leaderboard.me.score).toBe(35);
  });

  test("points that a mission grants when it is entered count too", async () => {
    const backend = await service.sandbox({
      ...boards(board("points", { scoreSource: "Points", event: null })),
      missions: [mission("gold", { objectives: [{ attribute: "tier", operator: "EqualTo", target: "gold" }] })],
    });
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.missions("ann");
    expect((await backend.board("ann", "points")).leaderboard.me).toEqual({ rank: 1, score: 10 });
  });

  test("an attribute ranks the players' present values", async () => {
    const backend = await service.sandbox(boards(board("levels", { scoreSource: "Attribute", event: null, attribute: "level" })));
    await players(backend, "ann", "bob");
    await backend.setAttributes("ann", { level: 7 });
    await backend.setAttributes("bob", { level: 9 });
    await backend.setAttributes("ann", { level: { value: 99, occurredAt: "2020-01-01T00:00:00Z" } });
    const read = await backend.board("ann", "levels");
    expect(shown(read.top)).toEqual(["1 BOB 9", "2 ANN 7"]);
    expect(read.leaderboard.aggregation).toBeNull();
    await backend.setAttributes("bob", { level: 1 });
    expect(shown((await backend.board("ann", "levels")).top)).toEqual(["1 ANN 7", "2 BOB 1"]);
  });

  test("a new leaderboard counts events from its creation on; one over an attribute starts with the existing values", async () => {
    const backend = await service.sandbox(boards());
    await backend.play(spent("ann", 3));
    await backend.setAttributes("ann", { level: 3 });
    await backend.define(boards(board("spent", bySum), board("levels", { scoreSource: "Attribute", event: null, attribute: "level" })));
    const mine = async () => (await backend.boards("ann")).map(({ me }) => me);
    expect((await mine())[0]).toBeNull();
    await soon(mine, ([, level]) => level?.score === 3);
    await backend.play(spent("ann", 4, { occurredAt: "2020-01-01T00:00:00Z" }));
    expect((await backend.boards("ann"))[0].me.score).toBe(4);
  });

  test("an inactive board records nothing and is not shown", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    await backend.play(spent("ann", 1));
    await backend.define(boards(board("spent", { ...bySum, active: false })));
    await backend.play(spent("ann", 2));
    expect(await backend.boards("ann")).toEqual([]);
    expect((await backend.get("/v1/leaderboards/spent?PlayerId=ann")).json.code).toBe("leaderboard.not_found");
    await backend.define(boards(board("spent", bySum)));
    expect((await backend.board("ann", "spent")).leaderboard.me.score).toBe(1);
  });
});

describe("a read", () => {
  test("shows the top, the neighbours around one's own row, and no ids", async () => {
    const backend = await service.sandbox(boards(board("spent", { ...bySum, topSize: 4 })));
    const names = Array.from({ length: 9 }, (_, at) => `p${at}`);
    await players(backend, ...names);
    await backend.play(...names.map((name, at) => spent(name, 100 - at)));
    const read = await backend.board("p4", "spent", "&Top=50&Neighbours=1");
    expect(shown(read.top)).toEqual(["1 P0 100", "2 P1 99", "3 P2 98", "4 P3 97"]);
    expect(shown(read.around)).toEqual(["4 P3 97", "5 P4 96", "6 P5 95"]);
    const alone = await backend.board("p4", "spent", "&Top=0&Neighbours=0");
    expect([alone.top, shown(alone.around), alone.named]).toEqual([[], ["5 P4 96"], null]);
    expect(JSON.stringify(read)).not.toContain("p3");
    const byDefault = await backend.board("p0", "spent");
    expect([byDefault.top.length, shown(byDefault.around)]).toEqual([4, ["1 P0 100", "2 P1 99", "3 P2 98"]]);
  });

  test("has the top ten by default, and accepts parameter names in any case", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    await backend.play(...Array.from({ length: 12 }, (_, at) => spent(`p${at}`, at)));
    expect((await backend.board("p0", "spent")).top).toHaveLength(10);
    expect((await backend.get("/v1/leaderboards/spent?playerid=p0&TOP=3&neighbours=0")).json.top).toHaveLength(3);
  });

  test("ranks the named players and the caller among themselves, by the ids that the caller gave", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    await players(backend, "ann", "bob", "cid", "dan");
    await backend.play(spent("ann", 1), spent("bob", 5), spent("cid", 5), spent("dan", 9));
    const { named } = await backend.board("ann", "spent", "&PlayerIds=cid&PlayerIds=bob&playerids=nobody&PlayerIds=cid");
    expect(named.entries.map(({ playerId, rank, displayName, score, isMe }: any) => [playerId, rank, displayName, score, isMe])).toEqual([
      ["bob", 1, "BOB", 5, false],
      ["cid", 1, "CID", 5, false],
      ["ann", 3, "ANN", 1, true],
    ]);
    const unknown = await backend.board("zoe", "spent", "&PlayerIds=dan");
    expect(unknown.named.entries).toMatchObject([{ playerId: "dan", rank: 1, isMe: false }]);
  });

  test("of an unknown player shows the board unranked, and creates no player", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    await backend.play(spent("ann", 1));
    expect(await backend.boards("zoe")).toMatchObject([{ me: null, participants: 1 }]);
    const read = await backend.board("zoe", "spent");
    expect([read.top.length, read.around]).toEqual([1, []]);
    const { sql } = service.database;
    expect(await sql`select from players where environment_id = ${backend.environment.id} and external_id = 'zoe'`).toHaveLength(0);
  });

  test("is in the requested language, and lists boards in the order of their creation", async () => {
    const name = { default: "en", texts: { en: "Spenders", nl: "Uitgevers" } };
    const images = { icon: "https://example.com/cup.png" };
    const backend = await service.sandbox(boards(board("z", { name, description: name, images }), board("a")));
    const [first, second] = await backend.boards("ann", "&LanguageCode=nl-BE");
    expect(first).toMatchObject({
      leaderboardKey: "z",
      name: "Uitgevers",
      description: "Uitgevers",
      images,
      ranksTeams: false,
      league: null,
      team: null,
    });
    expect(second).toMatchObject({ leaderboardKey: "a", name: "Board a", description: null, images: {} });
    expect((await backend.board("ann", "z")).leaderboard.name).toBe("Spenders");
  });

  test.each([
    ["Top=-1", "Top"],
    ["Top=1.5", "Top"],
    ["Top=", "Top"],
    ["Top=2147483648", "Top"],
    ["Neighbours=26", "Neighbours"],
    ["Neighbours=-1", "Neighbours"],
    ["Neighbours=many", "Neighbours"],
    ["Previous=perhaps", "Previous"],
    ["PlayerIds=", "PlayerIds"],
    [Array.from({ length: 101 }, (_, at) => `PlayerIds=p${at}`).join("&"), "PlayerIds"],
  ])("with %.40s is refused", async (query, parameter) => {
    const { status, json } = await unread.get(`/v1/leaderboards/spent?PlayerId=ann&${query}`);
    expect([status, json.code, json.errors[0].parameter]).toEqual([400, "request.invalid", parameter]);
  });

  test("accepts the bounds themselves, and a hundred players besides the caller", async () => {
    const backend = await service.sandbox(boards(board("spent", bySum)));
    const many = Array.from({ length: 100 }, (_, at) => `PlayerIds=${`p${at}`.padEnd(200, "x")}`).join("&");
    await backend.board("ann", "spent", `&Top=2147483647&Neighbours=25&Previous=False&PlayerIds=ann&${many}`);
    await backend.board("ann", "spent", "&Top=0&Neighbours=0");
  });

  test("without a player is refused; unknown, inactive and malformed keys answer 404", async () => {
    expect((await unread.get("/v1/leaderboards?PlayerId=")).json.code).toBe("player.external_id_missing");
    for (const query of [`PlayerId=${"x".repeat(201)}`, `PlayerId=ann&PlayerIds=${"x".repeat(201)}`]) {
      expect((await unread.get(`/v1/leaderboards/spent?${query}`)).json.code, query).toBe("player.external_id_too_long");
    }
    for (const key of ["nothing", "SPENT", "%00", "a%2Fb", "x".repeat(300)]) {
      expect((await unread.get(`/v1/leaderboards/${key}?PlayerId=ann`)).json.code, key).toBe("leaderboard.not_found");
    }
    const { status, json } = await unread.get("/v1/leaderboards/spent?PlayerId=ann&Previous=true");
    expect([status, json.code]).toEqual([404, "leaderboard.no_settled_period"]);
  });
});

describe("audiences", () => {
  const gold = { attribute: "tier", operator: "EqualTo", value: "gold" };

  test("a player outside it sees a Locked board empty and a Hidden one not at all; a member is ranked", async () => {
    const locked = board("locked", { ...bySum, audience: { rule: gold } });
    const hidden = board("hidden", { ...bySum, audience: { rule: gold, otherwise: "Hidden" } });
    const backend = await service.sandbox(boards(locked, hidden));
    await players(backend, "ann", "bob");
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.play(spent("ann", 1), spent("bob", 9));
    expect((await backend.boards("ann")).map(({ leaderboardKey, isLocked }) => [leaderboardKey, isLocked])).toEqual([
      ["locked", false],
      ["hidden", false],
    ]);
    expect(shown((await backend.board("ann", "hidden")).top)).toEqual(["1 ANN 1"]);
    expect((await backend.boards("bob")).map(({ leaderboardKey, isLocked, me }) => [leaderboardKey, isLocked, me])).toEqual([
      ["locked", true, null],
    ]);
    const read = await backend.board("bob", "locked", "&PlayerIds=ann");
    expect([read.leaderboard.isLocked, read.leaderboard.participants, read.top, read.around, read.named]).toEqual([true, 1, [], [], null]);
    expect((await backend.get("/v1/leaderboards/hidden?PlayerId=bob")).json.code).toBe("leaderboard.not_found");
    expect((await backend.get("/v1/leaderboards/hidden?PlayerId=zoe")).json.code).toBe("leaderboard.not_found");
  });

  test("a player who becomes a member scores from then on, for every kind of condition", async () => {
    const rule = {
      all: [
        { event: "order_placed", operator: "GreaterThanOrEqualTo", value: 2 },
        { points: "Balance", operator: "GreaterThan", value: 0 },
        { missionCompleted: "first" },
      ],
    };
    const backend = await service.sandbox({ ...boards(board("regulars", { ...bySum, audience: { rule } })), missions: [mission("first")] });
    await backend.missions("ann");
    await backend.play(spent("ann", 1));
    await backend.play(spent("ann", 10));
    await backend.play(spent("ann", 100));
    await backend.play(spent("ann", 1000));
    const { me } = (await backend.board("ann", "regulars")).leaderboard;
    expect([1100, 1110]).toContain(me.score);
  });
});

describe("teams", () => {
  const offices = (more: object = {}) => board("offices", { ...bySum, teamAttribute: "office", ...more });

  test("a row is a team; its score is the sum of its members' scores", async () => {
    const backend = await service.sandbox(boards(offices()));
    for (const [name, office] of Object.entries({ ann: "ams", bob: "ams", cid: "ber", dan: "ber" }))
      await backend.setAttributes(name, { office });
    await backend.play(spent("ann", 3), spent("bob", 4), spent("cid", 5), spent("eve", 100));
    const read = await backend.board("ann", "offices", "&PlayerIds=cid&PlayerIds=bob&PlayerIds=dan");
    expect(shown(read.top)).toEqual(["1 ams 7", "2 ber 5"]);
    expect(read.around.map(({ isMe }: any) => isMe)).toEqual([true, false]);
    expect(read.leaderboard).toMatchObject({
      ranksTeams: true,
      participants: 2,
      me: { rank: 1, score: 7 },
      team: { teamKey: "ams", rank: 1, score: 7, contribution: 3, members: 2 },
    });
    expect(read.named.entries.map(({ playerId, rank, score }: any) => [playerId, rank, score])).toEqual([
      ["cid", 1, 5],
      ["bob", 2, 4],
      ["ann", 3, 3],
    ]);
    const dan = (await backend.board("dan", "offices")).leaderboard;
    expect([dan.me, dan.team]).toEqual([
      { rank: 2, score: 5 },
      { teamKey: "ber", rank: 2, score: 5, contribution: null, members: 1 },
    ]);
    const eve = (await backend.board("eve", "offices")).leaderboard;
    expect([eve.me, eve.team]).toEqual([null, null]);
  });

  test("scores stay with the team of their time", async () => {
    const backend = await service.sandbox(boards(offices()));
    await backend.setAttributes("ann", { office: "ams" });
    await backend.play(spent("ann", 3));
    await backend.setAttributes("ann", { office: "ber" });
    const before = (await backend.board("ann", "offices")).leaderboard;
    expect([before.me, before.team]).toEqual([null, { teamKey: "ber", rank: null, score: null, contribution: null, members: 0 }]);
    await backend.play(spent("ann", 5));
    const read = await backend.board("ann", "offices");
    expect(shown(read.top)).toEqual(["1 ber 5", "2 ams 3"]);
    expect(read.leaderboard.team).toMatchObject({ contribution: 5, members: 1 });
  });

  test("best scores of members are added up", async () => {
    const backend = await service.sandbox(boards(offices(measured("Max", "amount"))));
    for (const name of ["ann", "bob"]) await backend.setAttributes(name, { office: "ams" });
    await backend.play(spent("ann", 3), spent("bob", 4), spent("ann", 9), spent("bob", 1));
    expect((await backend.board("ann", "offices")).leaderboard.team).toMatchObject({ score: 13, contribution: 9 });
  });

  test("over an attribute a score moves with the player from team to team", async () => {
    const backend = await service.sandbox(
      boards(board("offices", { scoreSource: "Attribute", event: null, attribute: "level", teamAttribute: "office" })),
    );
    await backend.setAttributes("ann", { level: 3 });
    expect((await backend.board("ann", "offices")).leaderboard.participants).toBe(0);
    await backend.setAttributes("ann", { office: "ams" });
    await backend.setAttributes("bob", { office: "ams", level: 4 });
    expect(shown((await backend.board("ann", "offices")).top)).toEqual(["1 ams 7"]);
    await backend.setAttributes("bob", { office: "ber" });
    expect(shown((await backend.board("ann", "offices")).top)).toEqual(["1 ber 4", "2 ams 3"]);
    await backend.setAttributes("ann", { office: "ber", level: 1 });
    expect(shown((await backend.board("ann", "offices")).top)).toEqual(["1 ber 5"]);
  });

  test("over an attribute counts the values of one request, in any order, from their instants on", async () => {
    const backend = await service.sandbox(
      boards(board("offices", { scoreSource: "Attribute", event: null, attribute: "level", teamAttribute: "office" })),
    );
    const since = (value: unknown) => ({ value, occurredAt: "2020-01-01T00:00:00Z" });
    await backend.setAttributes("ann", { level: since(3), office: since("ams") });
    await backend.setAttributes("bob", { office: since("ber"), level: since(4) });
    expect(shown((await backend.board("ann", "offices")).top)).toEqual(["1 ber 4", "2 ams 3"]);
  });

  test("are named by texts of at most 200 characters, of any kind; a player without a team scores for none", async () => {
    const backend = await service.sandbox(boards(offices()));
    const wide = "\u{1f600}".repeat(200);
    const names = { ann: wide, bob: `${wide}x`, cid: "", dan: " ", eve: "e\u0301'\"\\{}" };
    for (const [name, office] of Object.entries(names)) await backend.setAttributes(name, { office });
    await backend.play(...Object.keys(names).map((name, at) => spent(name, 9 - at)));
    expect(shown((await backend.board("ann", "offices")).top)).toEqual([`1 ${wide} 9`, "2  7", "3   6", "4 e\u0301'\"\\{} 5"]);
    const bob = (await backend.board("bob", "offices")).leaderboard;
    expect([bob.me, bob.team, bob.participants]).toEqual([null, null, 4]);
  });
});

describe("leagues", () => {
  const tiers = [
    { key: "bronze", name: { default: "en", texts: { en: "Bronze", nl: "Brons" } } },
    { key: "silver", name: "Silver" },
  ];
  const league = { groupSize: 2, tiers, promotes: 1, relegates: 1 };

  test("the board is the player's group, with seats in the order of first scores", async () => {
    const backend = await service.sandbox(boards(board("league", { ...bySum, ...WEEKLY, league })));
    const names = ["ann", "bob", "cid", "dan", "eve"];
    await players(backend, ...names);
    const [before] = await backend.boards("ann", "&LanguageCode=nl");
    expect(before).toMatchObject({ participants: 0, me: null });
    expect(before.league).toEqual({
      tierKey: "bronze",
      tierName: "Brons",
      tier: 0,
      tiers: 2,
      groupSize: 2,
      promotes: 1,
      relegates: 1,
      outcome: null,
    });
    const now = new Date().toISOString();
    await backend.play(...names.map((name, at) => spent(name, at + 1, { occurredAt: now })), spent("ann", 9, { occurredAt: now }));
    expect(shown((await backend.board("dan", "league")).top)).toEqual(["1 DAN 4", "2 CID 3"]);
    expect(shown((await backend.board("bob", "league")).top)).toEqual(["1 ANN 10", "2 BOB 2"]);
    const eve = await backend.board("eve", "league", "&PlayerIds=ann");
    expect([shown(eve.around), eve.leaderboard.participants, eve.named.entries.length]).toEqual([["1 EVE 5"], 1, 2]);
  });

  test("an ineligible player has no group, for any number of players", async () => {
    const audience = { rule: { attribute: "tier", operator: "EqualTo", value: "gold" } };
    const backend = await service.sandbox(boards(board("league", { ...bySum, ...WEEKLY, league, audience })));
    await backend.setAttributes("ann", { tier: "gold" });
    await backend.play(spent("ann", 1, { occurredAt: new Date().toISOString() }));
    const bob = await backend.board("bob", "league");
    expect(bob.leaderboard).toMatchObject({ isLocked: true, participants: 0, me: null, league: null });
    expect([bob.top, bob.around]).toEqual([[], []]);
  });
});
