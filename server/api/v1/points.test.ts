import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { testApi } from "../testing/calls.ts";

const database = await testDatabase();
const api = await testApi(database);
const MAX = Number.MAX_SAFE_INTEGER;

/** A project with one player, and the three endpoints for her. */
async function ann() {
  const { sandbox, sandboxKey } = await testProject(database);
  await api.post("/v1/players", { playerId: "ann" }, sandboxKey);
  return {
    sandbox,
    key: sandboxKey,
    adjust: (body: object) => api.post("/v1/points/adjustments", { playerId: "ann", reason: "test", ...body }, sandboxKey),
    points: async () => (await api.get("/v1/points?PlayerId=ann", sandboxKey)).json,
    transactions: async (query = "") => (await api.get(`/v1/points/transactions?PlayerId=ann${query}`, sandboxKey)).json,
  };
}

test("a player the environment has never seen has zero points and no transactions", async () => {
  const { key } = await ann();
  expect((await api.get("/v1/points?PlayerId=bob", key)).json).toEqual({ balance: 0, totalGranted: 0, totalSpent: 0 });
  expect((await api.get("/v1/points/transactions?PlayerId=bob", key)).json).toEqual([]);
});

test("an adjustment changes only the balance, and is in the ledger", async () => {
  const { adjust, points, transactions } = await ann();
  const credit = await adjust({ amount: 100, reason: "Sorry for the wait" });
  expect([credit.status, credit.json]).toEqual([
    200,
    { transactionId: expect.any(String), amount: 100, reason: "Sorry for the wait", balance: 100, occurredAtUtc: expect.any(String) },
  ]);
  expect((await adjust({ amount: -30 })).json.balance).toBe(70);
  expect(await points()).toEqual({ balance: 70, totalGranted: 0, totalSpent: 0 });
  expect(await transactions()).toEqual([
    expect.objectContaining({ type: "Adjustment", amount: -30, sourceType: null, sourceId: null }),
    {
      id: credit.json.transactionId,
      type: "Adjustment",
      amount: 100,
      reason: "Sorry for the wait",
      sourceType: null,
      sourceId: null,
      occurredAtUtc: credit.json.occurredAtUtc,
    },
  ]);
});

test("transactions come newest first, at most Take of them", async () => {
  const { adjust, transactions } = await ann();
  for (const amount of [1, 2, 3, 4]) await adjust({ amount });
  const amounts = async (query?: string) => (await transactions(query)).map((row: { amount: number }) => row.amount);
  expect(await amounts()).toEqual([4, 3, 2, 1]);
  expect(await amounts("&take=2")).toEqual([4, 3]);
  expect(await amounts("&Take=2147483647")).toEqual([4, 3, 2, 1]);
});

test.each(["0", "-1", "1.5", "x", "", "2147483648", "1e1"])("Take=%s is refused", async (take) => {
  const { key } = await ann();
  const reply = await api.get(`/v1/points/transactions?PlayerId=ann&Take=${take}`, key);
  expect(reply.json).toMatchObject({ status: 400, code: "request.invalid", errors: [{ parameter: "Take" }] });
});

test("a replayed key returns the original with the current balance, and charges once", async () => {
  const { adjust, points } = await ann();
  const first = await adjust({ amount: 10, reason: "first", idempotencyKey: "k" });
  await adjust({ amount: 5 });
  const again = await adjust({ amount: 10, reason: "another reason", idempotencyKey: "k" });
  expect(again.json).toEqual({ ...first.json, balance: 15 });
  expect((await points()).balance).toBe(15);
});

test("24 concurrent replays of one key charge once", async () => {
  const { adjust, points, transactions } = await ann();
  const replies = await Promise.all(Array.from({ length: 24 }, () => adjust({ amount: 7, idempotencyKey: "k" })));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect((await points()).balance).toBe(7);
  expect(await transactions()).toHaveLength(1);
});

test("concurrent adjustments of one player all count, and the balance is their sum", async () => {
  const { adjust, points, transactions } = await ann();
  const amounts = Array.from({ length: 24 }, (_, index) => (index % 4 === 3 ? -1 : index + 1));
  const replies = await Promise.all(amounts.map((amount) => adjust({ amount })));
  const applied = amounts.filter((_, index) => replies[index]!.status === 200).reduce((sum, amount) => sum + amount, 0);
  const ledger = (await transactions()).reduce((sum: number, row: { amount: number }) => sum + row.amount, 0);
  expect((await points()).balance).toBe(applied);
  expect(ledger).toBe(applied);
});

test("reusing a key with another amount is a conflict and changes nothing", async () => {
  const { adjust, points } = await ann();
  await adjust({ amount: 10, idempotencyKey: "k" });
  const reply = await adjust({ amount: 11, idempotencyKey: "k" });
  expect([reply.status, reply.json.code]).toEqual([409, "points_adjustment.idempotency_key_conflict"]);
  expect((await points()).balance).toBe(10);
});

test("a key that a purchase used is a conflict, even for the same amount", async () => {
  const { sandbox, adjust } = await ann();
  await adjust({ amount: 10 });
  await database.sql`
    insert into points_transactions (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, idempotency_key, occurred_at)
    select part, player_id, gen_random_uuid(), environment_id, nextval('fact_seq'), 'Spend', -3, 'MarketplacePurchase', gen_random_uuid(), 'k', now()
    from players where environment_id = ${sandbox.id}`;
  expect((await adjust({ amount: -3, idempotencyKey: "k" })).json.code).toBe("points_adjustment.idempotency_key_conflict");
});

test("a key belongs to one player; a blank one counts as absent; a refused request does not use its key up", async () => {
  const { key, adjust, points } = await ann();
  await api.post("/v1/players", { playerId: "bob" }, key);
  await adjust({ amount: 1, idempotencyKey: "k" });
  const bob = await api.post("/v1/points/adjustments", { playerId: "bob", amount: 2, reason: "x", idempotencyKey: "k" }, key);
  expect(bob.json.balance).toBe(2);
  for (const idempotencyKey of ["", "  ", null]) await adjust({ amount: 1, idempotencyKey });
  expect((await points()).balance).toBe(4);
  expect((await adjust({ amount: -5, idempotencyKey: "later" })).json.code).toBe("points.insufficient_balance");
  expect((await adjust({ amount: 5, idempotencyKey: "later" })).json.balance).toBe(9);
});

test("a balance never falls below zero", async () => {
  const { adjust, points } = await ann();
  const reply = await adjust({ amount: -1 });
  expect([reply.status, reply.json.code]).toEqual([409, "points.insufficient_balance"]);
  await adjust({ amount: 5 });
  expect((await adjust({ amount: -6 })).status).toBe(409);
  expect((await adjust({ amount: -5 })).json.balance).toBe(0);
  expect((await points()).balance).toBe(0);
});

test("a balance never passes 2^53 − 1, and is exact up to there", async () => {
  const { adjust, points } = await ann();
  expect((await adjust({ amount: MAX })).json.balance).toBe(MAX);
  expect((await adjust({ amount: 1 })).json).toMatchObject({ status: 400, code: "points_adjustment.amount_invalid" });
  expect((await points()).balance).toBe(MAX);
  expect((await adjust({ amount: -MAX })).json.balance).toBe(0);
});

test.each(["0", "-0", "0.0", "1.5", "1e-1", '"5"', "null", "true", "9007199254740992", "-9007199254740993", "1e400", "[1]"])(
  "an amount of %s is refused",
  async (amount) => {
    const { key } = await ann();
    const body = `{"playerId":"ann","reason":"x","amount":${amount}}`;
    expect((await api.call("POST", "/v1/points/adjustments", { key, body })).json).toMatchObject({
      status: 400,
      code: "points_adjustment.amount_invalid",
      errors: [{ pointer: "#/amount" }],
    });
  },
);

test.each([
  ["1e2", 100],
  ["5.0", 5],
  ["1.50e1", 15],
])("an amount of %s is a whole number", async (amount, balance) => {
  const { key } = await ann();
  const body = `{"playerId":"ann","reason":"x","amount":${amount}}`;
  expect((await api.call("POST", "/v1/points/adjustments", { key, body })).json.balance).toBe(balance);
});

test.each([
  [{ reason: undefined }, 400, "points_adjustment.reason_missing"],
  [{ reason: null }, 400, "points_adjustment.reason_missing"],
  [{ reason: " \n" }, 400, "points_adjustment.reason_missing"],
  [{ reason: "😀".repeat(501) }, 400, "points_adjustment.reason_too_long"],
  [{ reason: 5 }, 400, "request.invalid"],
  [{ idempotencyKey: "😀".repeat(201) }, 400, "points_adjustment.idempotency_key_too_long"],
  [{ idempotencyKey: 5 }, 400, "request.invalid"],
  [{ playerId: "" }, 400, "player.external_id_missing"],
  [{ playerId: "bob" }, 404, "player.not_found"],
])("%j is refused", async (fields, status, code) => {
  const { adjust } = await ann();
  expect((await adjust({ amount: 1, ...fields })).json).toMatchObject({ status, code });
});

test("a reason of 500 and a key of 200 characters are accepted", async () => {
  const { adjust } = await ann();
  expect((await adjust({ amount: 1, reason: "😀".repeat(500), idempotencyKey: "😀".repeat(200) })).status).toBe(200);
});

test("Sandbox and Live share no points", async () => {
  const { sandboxKey, liveKey } = await testProject(database);
  for (const key of [sandboxKey, liveKey]) await api.post("/v1/players", { playerId: "ann" }, key);
  await api.post("/v1/points/adjustments", { playerId: "ann", amount: 5, reason: "x" }, sandboxKey);
  expect((await api.get("/v1/points?PlayerId=ann", liveKey)).json.balance).toBe(0);
});
