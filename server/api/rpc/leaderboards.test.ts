import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../testing/signed-in.ts";
import { writeAttributes } from "../../game/attributes/service.ts";
import { ingest } from "../../game/events/service.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { giveSeatsIn } from "../../game/leaderboards/settlement/give-seats.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { environmentNow } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;

const weekly = { period: { kind: "Calendar", every: "Week" }, rankOrder: "HighestFirst", settleAfterMinutes: 60 };
const spent = { ...weekly, scoreSource: "Event", event: "order_placed", measure: { kind: "Sum", property: "amount" } };
const tiers = [
  { key: "bronze", name: "Bronze" },
  { key: "silver", name: "Silver" },
];
const DEFINITIONS = {
  version: 1,
  events: [{ key: "order_placed", name: "Order placed", properties: [{ key: "amount", type: "Number" }] }],
  attributes: [{ key: "office", name: "Office", type: "String" }],
  leaderboards: [
    { key: "spent", name: "Spent", ...spent, prizes: [{ fromRank: 1, toRank: 1, rewards: [{ kind: "Points", points: 30 }] }] },
    { key: "offices", name: "Offices", ...spent, teamAttribute: "office" },
    { key: "league", name: "League", ...spent, league: { groupSize: 2, tiers, promotes: 1, relegates: 1 } },
    { key: "ever", name: "Ever", ...spent, period: { kind: "AllTime" } },
    { key: "off", name: "Off", ...spent, active: false },
  ],
};

/** A week's scores: p00 to p29, each 10 more than the previous one, except every third, which ties with it. */
async function boards() {
  const project = await testProject(database);
  await moveClockUpTo(database, project.sandbox, Date.parse("2031-03-12T12:00:00Z"));
  expect(await importDefinitions(database, project.sandbox, DEFINITIONS)).not.toHaveProperty("problems");
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  const now = await environmentNow(sql, sandbox);
  const ids = Array.from({ length: 30 }, (_, at) => `p${String(at).padStart(2, "0")}`);
  for (const playerId of ["p00", "p29"]) await writeAttributes(database, sandbox, { playerId, attributes: { office: "ams" } }, []);
  const amount = (at: number) => 10 * (at - (at % 3 === 2 ? 1 : 0) + 1);
  const items = ids.map((playerId, at) => ({
    ...{ playerId, event: "order_placed", occurredAt: new Date(now).toISOString() },
    properties: { amount: amount(at) },
  }));
  await ingest(database, sandbox, { items, mayHoldBadText: false, now });
  await drainFacts(database, sandbox.id);
  await giveSeatsIn(database, sandbox.id);
  const scope = { project: project.slug, environment: "sandbox" as const };
  return { ...project, sandbox, scope, rpc: (await signedIn(database, project.slug, "Editor")).rpc };
}

test("a period's rows are read by page with their ranks, from the top and around any player", async () => {
  const { rpc, scope } = await boards();
  const week = { ...scope, key: "spent", start: "2031-03-10" };
  const seen: [string | undefined, number][] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof rpc.leaderboards.standings>> = await rpc.leaderboards.standings({ ...week, cursor, limit: 7 });
    seen.push(...page.rows.map(({ player, rank }) => [player?.externalId, rank] as [string | undefined, number]));
    cursor = page.next;
  } while (cursor !== null);
  expect(seen.slice(0, 6)).toEqual([
    ...[
      ["p28", 1],
      ["p29", 1],
      ["p27", 3],
      ["p25", 4],
      ["p26", 4],
      ["p24", 6],
    ],
  ]);
  expect(new Set(seen.map(([id]) => id)).size).toBe(30);
  const around = async (who: string, key = "spent") =>
    (await rpc.leaderboards.standings({ ...week, key, around: who, limit: 12 })).rows.map(
      ({ player, team }) => player?.externalId ?? team?.name,
    );
  expect(await around("p00")).toEqual(["p10", "p11", "p09", "p07", "p08", "p06", "p04", "p05", "p03", "p01", "p02"].slice(1).concat("p00"));
  expect((await around("p28"))[0]).toBe("p28");
  expect(await around("stranger")).toEqual([]);
  expect(await around("a\u0000")).toEqual([]);
  expect(await around("ams", "offices")).toEqual(["ams"]);
  expect(await around("p29", "offices")).toEqual(["ams"]);
  await expect(rpc.leaderboards.standings({ ...week, cursor: "1; drop" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(rpc.leaderboards.periods({ ...scope, key: "spent", cursor: "\0" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a league is read by tier and group", async () => {
  const { rpc, scope } = await boards();
  const { tiers: shown, periods } = await rpc.leaderboards.periods({ ...scope, key: "league" });
  expect(shown?.map(({ name }) => name)).toEqual(["Bronze", "Silver"]);
  expect(periods[0]?.groups[0]).toBe(15);
  const { rows } = await rpc.leaderboards.group({ ...scope, key: "league", start: "2031-03-10", tier: 0, group: 13 });
  expect(rows.map(({ rank, seat }) => ({ rank, seat }))).toEqual([
    { rank: 1, seat: { tier: 0, group: 13, outcome: null } },
    { rank: 2, seat: { tier: 0, group: 13, outcome: null } },
  ]);
});

test("in the Sandbox a period can be settled now, with its prizes; elsewhere this is refused with the reason", async () => {
  const { rpc, scope, sandbox, live } = await boards();
  const first = async (key: string) => (await rpc.leaderboards.periods({ ...scope, key })).periods[0];
  expect(await first("spent")).toMatchObject({ state: "Current", participants: 30, settleRefusal: null });
  expect(await first("ever")).toMatchObject({ start: "", settleRefusal: "Endless" });
  const settle = (key: string, start: string) => rpc.work.settleBoard({ ...scope, key, start });
  // Of two at once, one settles it.
  const both = await Promise.allSettled([settle("spent", "2031-03-10"), settle("spent", "2031-03-10")]);
  expect(both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))).toEqual([
    { now: expect.stringMatching(/^2031-03-17T01:00:/) as string },
  ]);
  expect(both.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []))).toEqual([
    expect.stringMatching("settled already"),
  ]);
  const { periods } = await rpc.leaderboards.periods({ ...scope, key: "spent" });
  expect(periods).toMatchObject([
    { start: "2031-03-17", state: "Current" },
    { start: "2031-03-10", state: "Settled", settleRefusal: "Settled" },
  ]);
  const named = await rpc.leaderboards.periods({ ...scope, key: "spent", cursor: "2031-03-11", limit: 1 });
  expect(named.periods, "the day after a period's start reads it alone").toEqual([periods[1]]);
  const [{ granted } = { granted: 0 }] = await sql<{ granted: number }[]>`
    select sum(amount)::int as granted from points_transactions where environment_id = ${sandbox.id}`;
  expect(granted).toBe(60);
  const [entry] = await sql<{ action: string; subject: string; difference: unknown }[]>`
    select action, subject_key as subject, difference from audit_log where environment_id = ${sandbox.id} and action in ('settle', 'advance')
    order by at desc limit 1`;
  expect(entry).toMatchObject({
    action: "settle",
    subject: "spent",
    difference: [{ path: ["period"], value: "2031-03-10" }, { path: ["time"] }],
  });
  await expect(settle("spent", "2031-03-10")).rejects.toThrow("settled already");
  await expect(settle("ever", "")).rejects.toThrow("without end");
  await expect(settle("spent", "2031-01-06")).rejects.toThrow("no such period");
  await importDefinitions(database, live, DEFINITIONS);
  const inLive = { ...scope, environment: "live" as const, key: "spent" };
  const [now] = (await rpc.leaderboards.periods(inLive)).periods;
  expect(now?.settleRefusal).toBe("Live");
  await expect(rpc.work.settleBoard({ ...inLive, start: now!.start })).rejects.toThrow("Live runs on real time");
});

test("a board's changed settling time moves its running period, and writes no other board's", async () => {
  const { sandbox } = await boards();
  const periods = async () =>
    Object.fromEntries(
      (
        await sql<{ key: string; settlesAt: number; written: string }[]>`
          select d.key, p.settles_at, p.xmin::text as written from leaderboard_periods p join definitions d on d.id = p.leaderboard_id
          where p.environment_id = ${sandbox.id}`
      ).map(({ key, ...period }) => [key, period]),
    );
  const before = await periods();
  const [first, ...others] = DEFINITIONS.leaderboards;
  const changed = { ...DEFINITIONS, leaderboards: [{ ...first, settleAfterMinutes: 90 }, ...others] };
  expect(await importDefinitions(database, sandbox, changed)).not.toHaveProperty("problems");
  const { spent: moved, ...rest } = await periods();
  expect(moved!.settlesAt).toBe(before["spent"]!.settlesAt + 30 * 60_000);
  expect(before).toMatchObject(rest);
});
