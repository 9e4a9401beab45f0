import { describe, expect, test } from "vitest";
import { atLeast, item, mission, points, shop } from "../definitions.ts";
import type { Reply } from "../http.ts";
import { startService } from "../listening.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MAX = 9_007_199_254_740_991;
const service = await startService();
const backend = await service.sandbox();

const known = async (playerId: string): Promise<string> => {
  await backend.post("/v1/players", { playerId });
  return playerId;
};
const refused = ({ status, code }: Reply) => [status, code];

describe("GET /v1/points", () => {
  test("an unknown player has zero, and is not created by the read", async () => {
    expect(await backend.points("nobody")).toEqual({ balance: 0, totalGranted: 0, totalSpent: 0 });
    expect(await backend.transactions("nobody")).toEqual([]);
    expect(refused(await backend.adjust("nobody", 5))).toEqual([404, "player.not_found"]);
  });

  test("the balance is the sum of all transactions; adjustments are in neither total", async () => {
    const own = await service.sandbox(shop(mission("one", { rewards: [points(30), points(12), item("free_coffee", 1)] })));
    await own.missions("ann");
    await own.adjust("ann", 100);
    await own.adjust("ann", -60);
    await own.play({ playerId: "ann" });
    expect(await own.points("ann")).toEqual({ balance: 82, totalGranted: 42, totalSpent: 0 });
    expect((await own.transactions("ann")).reduce((sum, { amount }) => sum + amount, 0)).toBe(82);
  });

  test.each(["", "?", "?PlayerId=", "?PlayerId", "?Player=ann"])("without a player (%s) is player.external_id_missing", async (query) => {
    for (const path of ["/v1/points", "/v1/points/transactions"]) {
      const { status, json } = await backend.get(path + query);
      expect([status, json.code, json.errors[0].parameter]).toEqual([400, "player.external_id_missing", "PlayerId"]);
    }
  });

  test("a player id of 201 characters is player.external_id_too_long, in any script", async () => {
    for (const one of ["a", "é", "漢", "😀"]) {
      const id = encodeURIComponent(one.repeat(201));
      for (const path of ["/v1/points", "/v1/points/transactions"]) {
        expect(refused(await backend.get(`${path}?PlayerId=${id}`))).toEqual([400, "player.external_id_too_long"]);
      }
    }
  });

  test("player ids differ in every character, and are read from the query unchanged", async () => {
    const ids = ["a b", "a+b", "a%20b", "A b", "a b ", "ä", "a\u0308", "a&PlayerId=x", "a/b", "a#b", "null"];
    for (const [index, id] of ids.entries()) expect((await backend.adjust(await known(id), index + 1)).json.balance, id).toBe(index + 1);
    for (const [index, id] of ids.entries()) expect((await backend.points(id)).balance, id).toBe(index + 1);
    expect((await backend.get("/v1/points?PlayerId=a+b")).json.balance).toBe(1);
  });
});

describe("query parameters", () => {
  test.each([
    "PlayerId=qed&Take=1",
    "playerid=qed&take=1",
    "PLAYERID=qed&TAKE=1",
    "tAKE=1&pLAYERiD=qed",
    "Take=1&PlayerId=qed&Unknown=%FF&LanguageCode=nl",
  ])("are read in any case, unknown ones ignored: %s", async (query) => {
    await known("qed");
    await backend.adjust("qed", 1);
    await backend.adjust("qed", 1);
    const { status, json } = await backend.get(`/v1/points/transactions?${query}`);
    expect([status, json.length]).toEqual([200, 1]);
  });

  test.each([
    "0",
    "-1",
    "1.5",
    "1.0",
    "",
    "x",
    "1x",
    "0x10",
    "1e1",
    "+1",
    "%201",
    "%D9%A3",
    "2147483648",
    "99999999999999999999",
    "NaN",
    "null",
  ])("Take=%s is request.invalid, with the bounds", async (take) => {
    const { status, json } = await backend.get(`/v1/points/transactions?PlayerId=ann&Take=${take}`);
    expect([status, json.code, json.errors[0].parameter]).toEqual([400, "request.invalid", "Take"]);
    expect(json.detail).toBe("Take must be an integer from 1 to 2147483647.");
  });

  test("every problem of a query is listed, in the order of the contract", async () => {
    const { json } = await backend.get("/v1/points/transactions?Take=0");
    expect(json.errors.map(({ code, parameter }: any) => [code, parameter])).toEqual([
      ["player.external_id_missing", "PlayerId"],
      ["request.invalid", "Take"],
    ]);
  });

  test.each(["%00", "a%00b", "%FF", "%C3%28", "%ED%A0%80", "%", "%zz"])("PlayerId=%s is no text, and request.invalid", async (id) => {
    expect(refused(await backend.get(`/v1/points?PlayerId=${id}`))).toEqual([400, "request.invalid"]);
  });
});

describe("GET /v1/points/transactions", () => {
  test("newest first; Take cuts, omitted it returns all", async () => {
    await known("many");
    for (let amount = 1; amount <= 12; amount++) await backend.adjust("many", amount);
    const amounts = async (more = "") => (await backend.transactions("many", more)).map(({ amount }) => amount);
    expect(await amounts()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await amounts("&Take=3")).toEqual([12, 11, 10]);
    expect(await amounts("&Take=2147483647")).toHaveLength(12);
  });

  test("an adjustment has a reason and no source; a grant has a source and no reason", async () => {
    const own = await service.sandbox(shop(mission("one", { rewards: [points(30), points(12)] })));
    await own.missions("ann");
    const { json: adjusted } = await own.adjust("ann", 7, { reason: "a gift, 漢 😀" });
    await own.play({ playerId: "ann" });
    const [second, first, adjustment] = await own.transactions("ann");
    expect(adjustment).toEqual({
      id: adjusted.transactionId,
      type: "Adjustment",
      amount: 7,
      reason: "a gift, 漢 😀",
      sourceType: null,
      sourceId: null,
      occurredAtUtc: adjusted.occurredAtUtc,
    });
    const { completedAtUtc } = await own.mission("ann", "one", { includeCompleted: true });
    const grant = { id: expect.stringMatching(UUID), type: "Grant", reason: null, sourceType: "Mission", occurredAtUtc: completedAtUtc };
    expect(first).toEqual({ ...grant, amount: 30, sourceId: expect.stringMatching(UUID) });
    expect(second).toEqual({ ...grant, amount: 12, sourceId: first.sourceId });
    expect(second.id).not.toBe(first.id);
  });
});

describe("POST /v1/points/adjustments", () => {
  test("credits and debits, and answers with the balance", async () => {
    await known("cal");
    const { status, json } = await backend.adjust("cal", 250, { reason: "welcome" });
    expect([status, json]).toEqual([
      200,
      {
        transactionId: expect.stringMatching(UUID),
        amount: 250,
        reason: "welcome",
        balance: 250,
        occurredAtUtc: expect.stringMatching(INSTANT),
      },
    ]);
    expect((await backend.adjust("cal", -250)).json).toMatchObject({ amount: -250, balance: 0 });
  });

  test("below zero is points.insufficient_balance, and changes nothing", async () => {
    await known("deb");
    expect(refused(await backend.adjust("deb", -1))).toEqual([409, "points.insufficient_balance"]);
    await backend.adjust("deb", 10);
    expect(refused(await backend.adjust("deb", -11))).toEqual([409, "points.insufficient_balance"]);
    expect((await backend.points("deb")).balance).toBe(10);
    expect(await backend.transactions("deb")).toHaveLength(1);
  });

  test("a player the environment has only seen by an event, or by a mission read, is known", async () => {
    const own = await service.sandbox(shop());
    await own.send({ playerId: "by-event" });
    await own.missions("by-read");
    expect((await own.adjust("by-event", 1)).status).toBe(200);
    expect((await own.adjust("by-read", 1)).status).toBe(200);
  });

  test.each([
    "0",
    "-0",
    "0.0",
    "1.5",
    "1e-1",
    '"5"',
    "true",
    "null",
    "[]",
    "{}",
    "9007199254740992",
    "-9007199254740992",
    "9007199254740991.5",
    "1e16",
    "1e400",
    "12345678901234567890",
  ])("the amount %s is points_adjustment.amount_invalid", async (amount) => {
    const body = `{"playerId":"${await known("amy")}","amount":${amount},"reason":"x"}`;
    expect(refused(await backend.post("/v1/points/adjustments", body))).toEqual([400, "points_adjustment.amount_invalid"]);
    expect((await backend.points("amy")).balance).toBe(0);
  });

  test.each([
    ["1e2", 100],
    ["5.0", 5],
    ["5.00000000000000000000000", 5],
    ["700e-2", 7],
    [String(MAX), MAX],
    ["9007199254740991.0", MAX],
  ])("the amount %s is %d", async (written, amount) => {
    const playerId = await known(`written ${written}`);
    const { json, text } = await backend.post("/v1/points/adjustments", `{"playerId":"${playerId}","amount":${written},"reason":"x"}`);
    expect(json.balance).toBe(amount);
    expect(text).toContain(`"amount":${amount},`);
  });

  test("a balance stays within 2^53 − 1, digit for digit", async () => {
    await known("max");
    await backend.adjust("max", MAX - 1);
    expect(refused(await backend.adjust("max", 2))).toEqual([400, "points_adjustment.amount_invalid"]);
    const { text } = await backend.adjust("max", 1);
    expect(text).toContain('"balance":9007199254740991');
    expect((await backend.get("/v1/points?PlayerId=max")).text).toContain('"balance":9007199254740991');
    expect((await backend.adjust("max", -MAX)).json.balance).toBe(0);
  });

  test.each([undefined, null, "", "   ", "\n\t"])("the reason %j is points_adjustment.reason_missing", async (reason) => {
    expect(refused(await backend.adjust(await known("rea"), 1, { reason }))).toEqual([400, "points_adjustment.reason_missing"]);
  });

  test("a reason has at most 500 characters, in any script", async () => {
    await known("rex");
    for (const one of ["a", "漢", "😀"]) {
      const { json } = await backend.adjust("rex", 1, { reason: one.repeat(500) });
      expect(json.reason).toBe(one.repeat(500));
      expect(refused(await backend.adjust("rex", 1, { reason: one.repeat(501) }))).toEqual([400, "points_adjustment.reason_too_long"]);
    }
  });

  test("every problem is listed, in the order of the contract, before anything else is looked at", async () => {
    const { status, json } = await backend.post("/v1/points/adjustments", {
      idempotencyKey: "k".repeat(201),
      reason: "r".repeat(501),
      amount: 0,
    });
    expect(status).toBe(400);
    expect(json.errors.map(({ code, pointer }: any) => [code, pointer])).toEqual([
      ["player.external_id_missing", "#/playerId"],
      ["points_adjustment.amount_invalid", "#/amount"],
      ["points_adjustment.reason_too_long", "#/reason"],
      ["points_adjustment.idempotency_key_too_long", "#/idempotencyKey"],
    ]);
    expect(json.code).toBe("player.external_id_missing");
  });

  test("an unknown player is 404 for any key", async () => {
    expect(refused(await backend.adjust("never-seen", 5, { idempotencyKey: "k" }))).toEqual([404, "player.not_found"]);
  });

  test("deducts granted points, and leaves the grant in the total", async () => {
    const own = await service.sandbox(shop(mission("one", { objectives: [atLeast(2)], rewards: [points(30)] })));
    await own.missions("ann");
    await own.play({ playerId: "ann" }, { playerId: "ann" });
    expect((await own.adjust("ann", -30)).json.balance).toBe(0);
    expect(await own.points("ann")).toEqual({ balance: 0, totalGranted: 30, totalSpent: 0 });
  });
});
