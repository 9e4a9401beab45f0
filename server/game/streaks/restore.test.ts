import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { ingest } from "../events/service.ts";
import { checkIntegrity } from "../../operations/integrity/check.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { savePlayer } from "../players/service/players.ts";
import { drainFacts } from "../../operations/worker/drain-facts.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await sharedDatabase();
const DAY = 86_400_000;

async function shop(rule: object = {}) {
  const project = await testProject(database);
  const milestones = [
    { length: 3, rewards: [{ kind: "Points", points: 3 }] },
    { length: 5, rewards: [{ kind: "Points", points: 5 }] },
  ];
  const streaks = [{ key: "daily", name: "Daily", event: "order_placed", cadence: "Day", milestones, ...rule }];
  const properties = [{ key: "amount", type: "Number" }];
  const file = { version: 1, events: [{ key: "order_placed", name: "Order placed", properties }], streaks };
  expect(await importDefinitions(database, project.sandbox, file)).not.toHaveProperty("problems");
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  await savePlayer(database, sandbox, Date.now(), "ann", {});
  const { rpc } = await signedIn(database, project.slug, "Editor");
  const ann = { project: project.slug, environment: "sandbox" as const, externalId: "ann" };
  const orderOf = async (amount: number, ...daysAgo: number[]) => {
    const items = daysAgo.map((days) => ({
      playerId: "ann",
      event: "order_placed",
      occurredAt: new Date(Date.now() - days * DAY).toISOString(),
      properties: { amount },
    }));
    await ingest(database, sandbox, { items, mayHoldBadText: false, now: Date.now() });
    await drainFacts(database, sandbox.id);
  };
  const order = (...daysAgo: number[]) => orderOf(1, ...daysAgo);
  const restore = () => rpc.players.restoreStreak({ ...ann, streak: "daily", reason: "Our outage" });
  const seen = async () => {
    const { streaks: shown, balance } = await rpc.players.get(ann);
    return [shown[0]!.length, balance.balance];
  };
  return { sandbox, rpc, ann, order, orderOf, restore, seen };
}

test("a lost streak continues over the missed days once, its milestones are paid once, and its runs still match its periods", async () => {
  const { sandbox, rpc, ann, order, restore, seen } = await shop();
  await order(5, 4, 3);
  expect(await seen()).toEqual([0, 3]);
  expect((await rpc.players.missedPeriods({ ...ann, streak: "daily" })).periods).toHaveLength(2);
  const outcomes = await Promise.allSettled([restore(), restore()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await seen()).toEqual([5, 8]);
  await order(0);
  expect(await seen()).toEqual([6, 8]);
  await expect(restore()).rejects.toThrow("nothing to restore");
  const { entries } = await rpc.players.timeline({ ...ann, groups: ["Staff"] });
  expect(entries.map(({ action, reason }) => [action, reason])).toEqual([["restore_streak", "Our outage"]]);
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
});

test("a restored streak is told as restored even if its run cannot be continued at once: the worker does it", async () => {
  const { sandbox, order, restore, seen } = await shop();
  await order(4, 3, 1, 0);
  await database.sql.unsafe(`
    create function hold_up() returns trigger language plpgsql as $$ begin
      if old.environment_id = ${sandbox.id} then raise lock_not_available; end if;
      return old;
    end $$;
    create trigger hold_up before delete on queued_facts for each row execute function hold_up();`);
  const outcome = await restore().catch((error: unknown) => error);
  await database.sql.unsafe("drop function hold_up cascade");
  expect(outcome).toEqual({ periods: 1 });
  await drainFacts(database, sandbox.id);
  expect(await seen()).toEqual([5, 8]);
});

test("a run begun since then is joined with the previous one", async () => {
  const { sandbox, order, restore, seen } = await shop();
  await order(4, 3, 1, 0);
  expect(await seen()).toEqual([2, 0]);
  await restore();
  expect(await seen()).toEqual([5, 8]);
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
});

test.each([
  ["GreaterThanOrEqualTo", 10, 5],
  ["LessThanOrEqualTo", 10, 20],
  ["NotEqualTo", 20, 16],
  ["NotIn", [20], 16],
] as const)("a late event does not take a restored day back, whatever its sum is by then (%s)", async (operator, target, late) => {
  const { sandbox, orderOf, restore, seen } = await shop({ measure: { kind: "Sum", property: "amount" }, operator, target });
  await orderOf(10, 3, 1, 0);
  await restore();
  expect(await seen()).toEqual([4, 3]);
  await orderOf(late, 2);
  await orderOf(10, 2);
  await orderOf(-6, 2);
  expect(await seen()).toEqual([4, 3]);
  expect(await checkIntegrity(database, sandbox)).toEqual([]);
});
