import { describe, expect, test } from "vitest";
import { startReceiver } from "../../server/delivery/testing.ts";
import type { Backend } from "../backend.ts";
import { board, boards, players, shown, spent, WEEKLY } from "../boards.ts";
import { item, measured, points } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const bySum = measured("Sum", "amount");
const MONTHLY = { period: { kind: "Calendar", every: "Month" } };

/** The receiver of an environment's webhooks about leaderboards, and its requests, in the order of the periods. */
async function listen(backend: Backend) {
  const receiver = await startReceiver();
  await backend.subscribe(receiver.url, "leaderboard.period_closed", "catalog_item.fulfillment_requested");
  return async (event: string): Promise<any[]> => {
    await backend.delivered();
    for (const one of receiver.received) expect(service.conformance.ofWebhook(one)).toEqual([]);
    const sent = receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.event === event);
    return sent.map(({ data }) => data).sort((a, b) => a.periodNumber - b.periodNumber);
  };
}

/** Orders of these amounts that happen now, on the environment's clock. */
async function order(backend: Backend, amounts: Record<string, number>, occurredAt?: string): Promise<void> {
  const clock = (await backend.get("/v1/points?PlayerId=nobody")).headers["x-sandbox-time"] as string;
  await backend.play(...Object.entries(amounts).map(([name, amount]) => spent(name, amount, { occurredAt: occurredAt ?? clock })));
}

describe("a monthly board", () => {
  test("settles an hour after the month, with final ranks, prizes and a webhook, each once", async () => {
    const prizes = [
      { fromRank: 1, toRank: 1, rewards: [points(100), item("free_coffee", 2)] },
      { fromRank: 2, toRank: 3, rewards: [points(10)] },
    ];
    const backend = await service.sandbox({}, { timeZone: "Europe/Amsterdam" });
    await backend.moveTo("2031-01-10T12:00:00Z");
    await backend.define({
      ...boards(board("spenders", { ...bySum, ...MONTHLY, settleAfterMinutes: 60, prizes })),
      catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }],
    });
    const payloadsOf = await listen(backend);
    await players(backend, "ann", "bob", "cid", "dan");
    await backend.moveTo("2031-03-10T12:00:00Z");
    await order(backend, { ann: 5, bob: 7, cid: 7, dan: 1 });

    // The month ends at midnight in Amsterdam, where the clocks have gone forward.
    await backend.moveTo("2031-03-31T21:59:00Z");
    await order(backend, { dan: 100 }, "2031-04-01T00:00:00Z");
    expect((await backend.board("ann", "spenders")).leaderboard.period).toEqual({
      startsAtUtc: "2031-02-28T23:00:00.000Z",
      endsAtUtc: "2031-03-31T22:00:00.000Z",
    });
    await backend.moveTo("2031-03-31T22:59:00Z");
    const april = await backend.board("dan", "spenders");
    expect([shown(april.top), april.leaderboard.period.startsAtUtc]).toEqual([["1 DAN 100"], "2031-03-31T22:00:00.000Z"]);
    expect((await backend.board("ann", "spenders", "&Previous=true")).leaderboard.period.endsAtUtc).toBe("2031-02-28T23:00:00.000Z");
    await order(backend, { dan: 1 }, "2031-03-31T21:00:00Z");

    await backend.moveTo("2031-03-31T23:00:30Z");
    await order(backend, { dan: 1000 }, "2031-03-31T21:00:00Z");
    const march = await backend.board("ann", "spenders", "&Previous=true&PlayerIds=dan");
    expect(shown(march.top)).toEqual(["1 BOB 7", "1 CID 7", "3 ANN 5", "4 DAN 2"]);
    expect([march.isSettled, march.leaderboard.me, march.named.entries.length]).toEqual([true, { rank: 3, score: 5 }, 2]);

    expect(await Promise.all(["ann", "bob", "cid", "dan"].map(async (name) => (await backend.points(name)).balance))).toEqual([
      10, 100, 100, 0,
    ]);
    const [grant] = await backend.transactions("bob");
    expect(grant).toMatchObject({
      type: "Grant",
      amount: 100,
      sourceType: "Leaderboard",
      occurredAtUtc: expect.stringMatching(/^2031-03-31T23:00/),
    });
    const owed = await payloadsOf("catalog_item.fulfillment_requested");
    expect(owed.map(({ playerExternalId, value, sourceType, sourceId }) => [playerExternalId, value, sourceType, sourceId]).sort()).toEqual(
      [
        ["bob", 2, "Leaderboard", grant.sourceId],
        ["cid", 2, "Leaderboard", grant.sourceId],
      ],
    );
    // Every month since the creation has been settled, those without a score, too.
    const closed = await payloadsOf("leaderboard.period_closed");
    expect(closed.map(({ periodNumber }) => periodNumber)).toEqual([0, 1, 2]);
    expect(closed.at(-1)).toMatchObject({
      leaderboardKey: "spenders",
      startsAtUtc: "2031-02-28T23:00:00.000Z",
      endsAtUtc: "2031-03-31T22:00:00.000Z",
      participants: 4,
      settledAtUtc: expect.stringMatching(/^2031-03-31T23:00:0/),
    });
    expect(closed.at(-2)?.participants).toBe(0);
  });

  test("pays the winning teams: every player who scored for them", async () => {
    const prizes = [{ fromRank: 1, toRank: 1, rewards: [points(50)] }];
    const backend = await service.sandbox();
    await backend.moveTo("2031-03-10T12:00:00Z");
    await backend.define(boards(board("offices", { ...bySum, ...MONTHLY, teamAttribute: "office", prizes })));
    for (const [name, office] of Object.entries({ ann: "ams", bob: "ams", cid: "ber", dan: "ams" }))
      await backend.setAttributes(name, { office });
    await order(backend, { ann: 3, bob: 4, cid: 6 });
    await backend.moveTo("2031-04-02T00:00:00Z");
    expect(await Promise.all(["ann", "bob", "cid", "dan"].map(async (name) => (await backend.points(name)).balance))).toEqual([
      50, 50, 0, 0,
    ]);
    const previous = await backend.board("ann", "offices", "&Previous=true");
    expect([shown(previous.top), previous.leaderboard.team.contribution]).toEqual([["1 ams 7", "2 ber 6"], 3]);
    expect((await backend.board("ann", "offices")).leaderboard.team).toMatchObject({ teamKey: "ams", score: null });
  });

  test("of an attribute continues with the players' values, and keeps the past ones", async () => {
    const source = { scoreSource: "Attribute", event: null, attribute: "level" };
    const backend = await service.sandbox();
    await backend.moveTo("2031-03-10T12:00:00Z");
    await backend.define(
      boards(board("levels", { ...source, ...MONTHLY }), board("offices", { ...source, ...MONTHLY, teamAttribute: "office" })),
    );
    await players(backend, "ann", "bob");
    await backend.setAttributes("ann", { level: 5, office: "ams" });
    await backend.setAttributes("bob", { level: 7, office: "ams" });
    await backend.moveTo("2031-04-01T00:05:00Z");
    // Before March is settled ann learns that she was at another level in March already, and bob reaches one in April.
    await backend.setAttributes("ann", { level: { value: 6, occurredAt: "2031-03-31T12:00:00Z" } });
    await backend.setAttributes("bob", { level: { value: 9, occurredAt: "2031-04-01T00:04:00Z" } });
    await backend.moveTo("2031-04-01T01:00:00Z");
    expect(shown((await backend.board("ann", "levels", "&Previous=true")).top)).toEqual(["1 BOB 7", "2 ANN 6"]);
    expect(shown((await backend.board("ann", "levels")).top)).toEqual(["1 BOB 9", "2 ANN 6"]);
    expect(shown((await backend.board("ann", "offices", "&Previous=true")).top)).toEqual(["1 ams 13"]);
    expect(shown((await backend.board("ann", "offices")).top)).toEqual(["1 ams 15"]);
  });

  test("that is switched off does not settle until it is switched on again", async () => {
    const prizes = [{ fromRank: 1, toRank: 1, rewards: [points(50)] }];
    const off = (active: boolean) => boards(board("spenders", { ...bySum, ...MONTHLY, prizes, active }));
    const backend = await service.sandbox();
    await backend.moveTo("2031-03-10T12:00:00Z");
    await backend.define(off(true));
    await order(backend, { ann: 3 });
    await backend.define(off(false));
    await backend.moveTo("2031-06-10T12:00:00Z");
    expect((await backend.points("ann")).balance).toBe(0);
    await backend.define(off(true));
    await backend.advance("PT1M");
    expect((await backend.points("ann")).balance).toBe(50);
    expect(shown((await backend.board("ann", "spenders", "&Previous=true")).top)).toEqual(["1 null 3"]);
    await order(backend, { ann: 8 });
    expect((await backend.board("ann", "spenders")).leaderboard).toMatchObject({
      me: { score: 8 },
      period: { startsAtUtc: "2031-06-01T00:00:00.000Z" },
    });
  });
});

describe("a season", () => {
  test("exists for its time only; its prizes and its webhook follow the end", async () => {
    const period = { kind: "Season", startsAt: "2031-03-01T12:00:00Z", endsAt: "2031-03-20T12:00:00Z" };
    const prizes = [{ fromRank: 1, toRank: 2, rewards: [points(7)] }];
    const backend = await service.sandbox(boards(board("spring", { ...bySum, period, settleAfterMinutes: 0, prizes })));
    const payloadsOf = await listen(backend);
    const status = async (more = "") => (await backend.get(`/v1/leaderboards/spring?PlayerId=ann${more}`)).status;
    expect([await status(), await backend.boards("ann")]).toEqual([404, []]);
    await backend.moveTo("2031-03-01T11:00:00Z");
    await order(backend, { ann: 1 }, "2031-03-02T00:00:00Z");
    await order(backend, { ann: 50 }, "2031-03-01T11:59:59Z");
    await backend.moveTo("2031-03-01T12:00:00Z");
    expect((await backend.boards("ann"))[0]).toMatchObject({
      me: { rank: 1, score: 1 },
      period: { startsAtUtc: "2031-03-01T12:00:00.000Z", endsAtUtc: "2031-03-20T12:00:00.000Z" },
    });
    expect((await backend.get("/v1/leaderboards/spring?PlayerId=ann&Previous=true")).json.code).toBe("leaderboard.no_settled_period");
    await order(backend, { bob: 2, cid: 0.5 });
    await backend.moveTo("2031-03-20T12:00:01Z");
    expect([await status(), await status("&Previous=true"), await backend.boards("ann")]).toEqual([404, 404, []]);
    expect(await Promise.all(["ann", "bob", "cid"].map(async (name) => (await backend.points(name)).balance))).toEqual([7, 7, 0]);
    expect(await payloadsOf("leaderboard.period_closed")).toMatchObject([{ leaderboardKey: "spring", periodNumber: 0, participants: 3 }]);
  });
});

describe("a weekly league", () => {
  const league = {
    groupSize: 3,
    tiers: ["bronze", "silver", "gold"].map((key) => ({ key, name: key })),
    promotes: 1,
    relegates: 1,
  };
  const prizes = [{ fromRank: 1, toRank: 1, rewards: [points(1)] }];
  /** Every player's tier, place and score, in one line for each. */
  const standings = async (backend: Backend, names: readonly string[], more = "") => {
    const rows = await Promise.all(names.map((name) => backend.board(name, "league", more)));
    return rows.map(({ leaderboard: { me, league: own, participants } }, at) => {
      const place = me === null ? "-" : `${me.rank}/${participants}`;
      return `${names[at]} ${own.tierKey} ${place}${own.outcome === null ? "" : ` ${own.outcome}`}`;
    });
  };

  test("moves its players over three weeks as calculated by hand", async () => {
    const backend = await service.sandbox();
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    await backend.moveTo("2031-03-03T00:30:00Z");
    await backend.define(boards(board("league", { ...bySum, ...WEEKLY, league, prizes })));

    // Week one, all in bronze. Seats in the order of first scores: (a b c) (d e f) (g).
    await order(backend, { a: 1, b: 2, c: 3, d: 9, e: 9, f: 1, g: 4 });
    expect(await standings(backend, names)).toEqual([
      "a bronze 3/3",
      "b bronze 2/3",
      "c bronze 1/3",
      "d bronze 1/3",
      "e bronze 1/3",
      "f bronze 3/3",
      "g bronze 1/1",
    ]);

    // Week two begins, but until week one is settled there is no group in it.
    await backend.moveTo("2031-03-10T00:05:00Z");
    await order(backend, { g: 1, a: 5 });
    expect(await standings(backend, names)).toEqual(names.map((name) => `${name} bronze -`));
    await backend.moveTo("2031-03-10T00:10:01Z");
    // Up: c, d (before e, who reached as much later), g. The lowest tier has no relegation.
    expect(await standings(backend, names, "&Previous=true")).toEqual([
      "a bronze 3/3 Stayed",
      "b bronze 2/3 Stayed",
      "c bronze 1/3 Promoted",
      "d bronze 1/3 Promoted",
      "e bronze 1/3 Stayed",
      "f bronze 3/3 Stayed",
      "g bronze 1/1 Promoted",
    ]);
    expect(await standings(backend, ["c", "d", "g", "zoe"])).toEqual(["c silver -", "d silver -", "g silver 1/1", "zoe bronze -"]);

    // Week two. Silver: (g c d), bronze: (a b e), f does not play.
    await order(backend, { c: 5, d: 5, b: 7, e: 7 });
    await backend.moveTo("2031-03-17T00:10:01Z");
    expect(await standings(backend, names, "&Previous=true")).toEqual([
      "a bronze 3/3 Stayed",
      "b bronze 1/3 Promoted",
      "c silver 1/3 Promoted",
      "d silver 1/3 Stayed",
      "e bronze 1/3 Stayed",
      "f bronze - Stayed",
      "g silver 3/3 Relegated",
    ]);

    // Week three. Gold: (c); silver: (d b); bronze: (a e g). A group of one is less than half full, one of two is not.
    await order(backend, { c: 1, d: 8, b: 2, a: 1, e: 2, g: 3 });
    await backend.advance("P7D");
    expect(await standings(backend, names, "&Previous=true")).toEqual([
      "a bronze 3/3 Stayed",
      "b silver 2/2 Relegated",
      "c gold 1/1 Stayed",
      "d silver 1/2 Promoted",
      "e bronze 2/3 Stayed",
      "f bronze - Stayed",
      "g bronze 1/3 Promoted",
    ]);
    // Prizes: the first of every group in every week.
    expect(await Promise.all(names.map(async (name) => (await backend.points(name)).balance))).toEqual([0, 1, 3, 3, 2, 0, 2]);
  });
});

test("a clock moved by months stops at every period on the way, of every board, in order", async () => {
  const backend = await service.sandbox();
  await backend.moveTo("2031-01-01T00:00:00Z");
  await backend.define(
    boards(board("daily", { period: { kind: "Calendar", every: "Day" } }), board("weekly", WEEKLY), board("monthly", MONTHLY)),
  );
  const payloadsOf = await listen(backend);
  await backend.moveTo("2031-03-01T00:00:00Z");
  const closed = await payloadsOf("leaderboard.period_closed");
  const settled = (key: string) => closed.filter(({ leaderboardKey }) => leaderboardKey === key);
  expect(["daily", "weekly", "monthly"].map((key) => settled(key).length)).toEqual([58, 8, 1]);
  for (const { endsAtUtc, settledAtUtc } of closed) {
    const after = Date.parse(settledAtUtc) - Date.parse(endsAtUtc);
    expect(after, `${settledAtUtc} after ${endsAtUtc}`).toBeGreaterThanOrEqual(600_000);
    expect(after).toBeLessThan(660_000);
  }
});
