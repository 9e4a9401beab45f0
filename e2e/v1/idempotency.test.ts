import { describe, expect, test } from "vitest";
import { atLeast, mission, ORDER_PLACED, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const counting = mission("counting", { objectives: [atLeast(1_000_000)] });
const backend = await service.sandbox(shop(counting));

const countOf = async (playerId: string): Promise<number> => {
  await backend.applied();
  return await backend.counterValue(playerId, "counting");
};
const entered = async (...players: string[]): Promise<void> => {
  await Promise.all(players.map((playerId) => backend.missions(playerId)));
};

describe("an event with a key", () => {
  test("counts once, and its retry is answered with the first id, with any body", async () => {
    await entered("ann");
    const [first] = await backend.send({ playerId: "ann", idempotencyKey: "k1", properties: { amount: 1 } });
    const again = { playerId: "ann", idempotencyKey: "k1", occurredAt: "2020-01-01T00:00:00Z", properties: { amount: 2 } };
    expect(await backend.send(again)).toEqual([first]);
    expect(await countOf("ann")).toBe(1);
  });

  test("is a different one for another event, another player and another case", async () => {
    await entered("bea");
    const ids = await backend.send(
      { playerId: "bea", idempotencyKey: "k" },
      { playerId: "bea", idempotencyKey: "k", event: "order_returned" },
      { playerId: "bob", idempotencyKey: "k" },
      { playerId: "bea", idempotencyKey: "K" },
      { playerId: "bea", idempotencyKey: " k" },
    );
    expect(new Set(ids).size).toBe(5);
    expect(await countOf("bea")).toBe(3);
  });

  test("counts once in its own batch: the second replays the first", async () => {
    await entered("cid");
    const item = { playerId: "cid", idempotencyKey: "twice" };
    const { json } = await backend.batch(item, { playerId: "cid" }, item, { ...item, properties: { amount: 9 } });
    expect(json).toMatchObject({ accepted: 4, rejected: 0 });
    const ids = json.results.map(({ eventId }: any) => eventId);
    expect([ids[2], ids[3]]).toEqual([ids[0], ids[0]]);
    expect(ids[1]).not.toBe(ids[0]);
    expect(await countOf("cid")).toBe(2);
  });

  test("goes to the first accepted item of a batch: a refused item does not use a key", async () => {
    await entered("dee");
    const item = { playerId: "dee", idempotencyKey: "late" };
    const { json } = await backend.batch({ ...item, properties: { amount: "x" } }, item, { ...item, occurredAt: "never" });
    expect(json.results.map(({ accepted }: any) => accepted)).toEqual([false, true, true]);
    expect(json.results[2]).toMatchObject({ eventId: json.results[1].eventId, errors: [] });
    expect(await countOf("dee")).toBe(1);
  });

  test("refused is free for the next try", async () => {
    await entered("eve");
    const item = { playerId: "eve", idempotencyKey: "free" };
    expect((await backend.batch({ ...item, occurredAt: "never" })).json.rejected).toBe(1);
    const [id] = await backend.send(item);
    expect(await backend.send(item)).toEqual([id]);
    expect(await countOf("eve")).toBe(1);
  });

  test("has at most 200 characters, of any width", async () => {
    await entered("fay");
    for (const one of ["k", "ü", "漢", "😀"]) {
      const [id] = await backend.send({ playerId: "fay", idempotencyKey: one.repeat(200) });
      expect(await backend.send({ playerId: "fay", idempotencyKey: one.repeat(200) })).toEqual([id]);
      const { json } = await backend.batch({ playerId: "fay", idempotencyKey: one.repeat(201) });
      expect(json.results[0].errors.map(({ code }: any) => code)).toEqual(["event.idempotency_key_too_long"]);
    }
    expect(await countOf("fay")).toBe(4);
  });

  test("that is blank, empty or null is the same as no key", async () => {
    await entered("gus");
    const blank = ["", " ", "\t \n", null, undefined].map((idempotencyKey) => ({ playerId: "gus", idempotencyKey }));
    const ids = [...(await backend.send(...blank)), ...(await backend.send(...blank))];
    expect(new Set(ids).size).toBe(10);
    expect(await countOf("gus")).toBe(10);
  });

  test("replays although the event was switched off since, and although its properties were changed", async () => {
    const own = await service.sandbox({ events: [ORDER_PLACED] });
    const item = { playerId: "hal", idempotencyKey: "before", properties: { amount: 1 } };
    const [id] = await own.send(item);
    await own.define({ events: [{ ...ORDER_PLACED, active: false }] });
    const { json } = await own.batch(item, { ...item, idempotencyKey: "after" }, item);
    expect(json.results.map(({ eventId }: any) => eventId)).toEqual([id, null, id]);
    expect(json.results[1].errors[0].code).toBe("event.inactive");
    await own.define({ events: [ORDER_PLACED] });
    expect(await own.send(item)).toEqual([id]);
  });

  test("is not found by a header: with an Idempotency-Key header the write happens twice", async () => {
    await entered("ida");
    const body = { events: [{ playerId: "ida", event: "order_placed", occurredAt: "2026-01-01T00:00:00Z" }] };
    const once = () => backend.call("POST", "/v1/events", { body, headers: { "idempotency-key": "header" } });
    expect((await once()).json.results[0].eventId).not.toBe((await once()).json.results[0].eventId);
    expect(await countOf("ida")).toBe(2);
  });
});

describe("a batch sent again", () => {
  test("in part accepted: items with keys replay, those without apply again", async () => {
    await entered("joe");
    const batch = [
      { playerId: "joe", idempotencyKey: "a" },
      { playerId: "joe" },
      { playerId: "joe", event: "nothing" },
      { playerId: "joe", idempotencyKey: "b" },
    ];
    const [first, second] = [(await backend.batch(...batch)).json, (await backend.batch(...batch)).json];
    expect(second).toMatchObject({ accepted: 3, rejected: 1 });
    expect([second.results[0].eventId, second.results[3].eventId]).toEqual([first.results[0].eventId, first.results[3].eventId]);
    expect(second.results[1].eventId).not.toBe(first.results[1].eventId);
    expect(await countOf("joe")).toBe(4);
  });

  test("by eight concurrent requests, each in another order, over unknown players: every answer has the same ids, every event counts once", async () => {
    const players = Array.from({ length: 40 }, (_, index) => `new-${index}`);
    const items = players.flatMap((playerId) => Array.from({ length: 5 }, (_, index) => ({ playerId, idempotencyKey: `n${index}` })));
    const orders = Array.from({ length: 8 }, (_, turn) => (turn % 2 === 0 ? items : items.toReversed()).slice(turn * 10).concat(items));
    const answers = await Promise.all(
      orders.map(async (order) => {
        const ids = await backend.send(...order);
        return new Map(order.map(({ playerId, idempotencyKey }, index) => [`${playerId}/${idempotencyKey}`, ids[index]]));
      }),
    );
    const [first] = answers;
    expect(new Set(first!.values()).size).toBe(200);
    for (const answer of answers) expect([...answer].toSorted()).toEqual([...first!].toSorted());
  });

  test("while it is being applied counts once", async () => {
    await entered("kim", "lee");
    const items = Array.from({ length: 100 }, (_, index) => ({ playerId: index % 2 ? "kim" : "lee", idempotencyKey: `k${index}` }));
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 4 }, () => backend.send(...items)));
    expect([await countOf("kim"), await countOf("lee")]).toEqual([50, 50]);
  });

  test("after its mission is complete pays once", async () => {
    const own = await service.sandbox(
      shop(mission("three", { objectives: [atLeast(3)], rewards: [points(30)], recurrence: { kind: "AfterCompletion" } })),
    );
    await own.missions("mia");
    const items = ["1", "2", "3"].map((idempotencyKey) => ({ playerId: "mia", idempotencyKey }));
    await own.play(...items);
    await own.missions("mia");
    await own.play(...items);
    expect((await own.points("mia")).balance).toBe(30);
    expect(await own.counterValue("mia", "three")).toBe(0);
  });
});

describe("an adjustment with a key", () => {
  test("moves the balance once; its retry returns the original with the current balance", async () => {
    await entered("pat");
    const first = await backend.adjust("pat", 100, { idempotencyKey: "k", reason: "welcome" });
    await backend.adjust("pat", 11);
    const again = await backend.adjust("pat", 100, { idempotencyKey: "k", reason: "another reason" });
    expect([again.status, again.json]).toEqual([200, { ...first.json, balance: 111 }]);
    expect(again.json.reason).toBe("welcome");
    expect(await backend.transactions("pat")).toHaveLength(2);
  });

  test("of another amount is a conflict, and changes nothing", async () => {
    await entered("quin");
    await backend.adjust("quin", 100, { idempotencyKey: "k" });
    for (const amount of [99, -100, 101]) {
      const { status, code } = await backend.adjust("quin", amount, { idempotencyKey: "k" });
      expect([status, code]).toEqual([409, "points_adjustment.idempotency_key_conflict"]);
    }
    expect((await backend.points("quin")).balance).toBe(100);
  });

  test("belongs to its player and its environment", async () => {
    await entered("ray", "sue");
    const one = await backend.adjust("ray", 5, { idempotencyKey: "shared" });
    const two = await backend.adjust("sue", 7, { idempotencyKey: "shared" });
    expect([one.json.balance, two.json.balance]).toEqual([5, 7]);
    expect(two.json.transactionId).not.toBe(one.json.transactionId);
  });

  test("shares no key with the player's events", async () => {
    await backend.send({ playerId: "ted", idempotencyKey: "k" });
    expect((await backend.adjust("ted", 5, { idempotencyKey: "k" })).json.balance).toBe(5);
  });

  test("that was refused is free for the next try", async () => {
    await entered("uma");
    expect((await backend.adjust("uma", -5, { idempotencyKey: "k" })).code).toBe("points.insufficient_balance");
    await backend.adjust("uma", 5);
    expect((await backend.adjust("uma", -3, { idempotencyKey: "k" })).json.balance).toBe(2);
  });

  test("replays although the balance would not cover it any more", async () => {
    await entered("val");
    await backend.adjust("val", 10);
    const first = await backend.adjust("val", -10, { idempotencyKey: "k" });
    expect((await backend.adjust("val", -10, { idempotencyKey: "k" })).json).toEqual(first.json);
  });

  test("has at most 200 characters; blank counts as none", async () => {
    await entered("wim");
    for (const one of ["k", "漢", "😀"]) {
      const key = { idempotencyKey: one.repeat(200) };
      expect((await backend.adjust("wim", 1, key)).json.transactionId).toBe((await backend.adjust("wim", 1, key)).json.transactionId);
      const { status, code } = await backend.adjust("wim", 1, { idempotencyKey: one.repeat(201) });
      expect([status, code]).toEqual([400, "points_adjustment.idempotency_key_too_long"]);
    }
    for (const idempotencyKey of ["", "  ", null, undefined]) await backend.adjust("wim", 1, { idempotencyKey });
    expect((await backend.points("wim")).balance).toBe(7);
  });

  test("is not found by a header", async () => {
    await entered("xia");
    const once = () =>
      backend.call("POST", "/v1/points/adjustments", {
        body: { playerId: "xia", amount: 5, reason: "x" },
        headers: { "idempotency-key": "h" },
      });
    await once();
    expect((await once()).json.balance).toBe(10);
  });
});
