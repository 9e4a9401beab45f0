import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { fineLaneOf } from "../../model/kernel/lanes.ts";
import { readMissions } from "../../game/missions/service/read.ts";
import { playerKey } from "../../model/players/identity.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drainFacts } from "./drain-facts.ts";
import { startFacts } from "./facts.ts";
import { tryRehearsal } from "./store.ts";
import { until } from "#db/testing/work.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { testShop } from "../testing.ts";

const database = await testDatabase();
const { sql } = database;

const shop = () => testShop(database);

test("the first event is shown as soon as it is accepted, and after it was applied; a reset forgets it", async () => {
  const { slug, scope, send, sandbox, rpc } = await shop();
  expect(await rpc.events.reception(scope)).toMatchObject({ hasReceived: false, firstReceivedAt: null, last: [] });
  await send("ann");
  const waiting = { player: "ann", kind: "Event", key: "order_placed", state: "Waiting" };
  expect(await rpc.events.reception(scope)).toMatchObject({ hasReceived: true, last: [waiting] });
  const { id } = await sandbox();
  await drainFacts(database, id);
  await send("bob");
  expect((await rpc.events.reception(scope)).last).toMatchObject([{ player: "bob" }, { ...waiting, state: "Counted" }]);
  await drainFacts(database, id);
  await send(...Array.from({ length: 40 }, (_, at) => `p${at}`));
  await drainFacts(database, id);
  const { last, firstReceivedAt } = await rpc.events.reception(scope);
  expect(last.map(({ player }) => player)).toEqual(["p39", "p38", "p37", "p36", "p35"]);
  expect(firstReceivedAt).not.toBeNull();
  await send("p39");
  await drainFacts(database, id);
  expect((await rpc.events.reception(scope)).last.map(({ player }) => player)).toEqual(["p39", "p39", "p38", "p37", "p36"]);
  expect((await rpc.events.reception({ ...scope, environment: "live" })).hasReceived).toBe(false);
  await (await signedIn(database, slug, "Admin")).rpc.work.reset({ ...scope, confirmation: slug });
  expect((await rpc.events.reception(scope)).hasReceived).toBe(false);
});

test("a quarantined fact is shown with its error, and counts once retried", async () => {
  const { slug, scope, send, sandbox, rpc, email } = await shop();
  await importDefinitions(database, await sandbox(), {
    version: 1,
    missions: [
      {
        key: "one",
        name: "One",
        objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 1 }],
        rewards: [{ kind: "Points", points: 10 }],
      },
    ],
  });
  const environment = await sandbox();
  const { id } = environment;
  // In a lane other than the first, to show that a retried fact returns to its own.
  const ann = ["ann", "anna", "anne", "annie", "anouk", "antje"].find((name) => fineLaneOf(playerKey(id, name).part) > 0)!;
  await readMissions(database, environment, Date.now(), { externalId: ann, take: null, includeCompleted: false, language: null });
  const { part, playerId } = playerKey(id, ann);
  const setBalance = (balance: number) => sql`
    insert into balances (part, player_id, balance) values (${part}, ${playerId}, ${balance})
    on conflict (part, player_id) do update set balance = excluded.balance`;
  // With the highest balance, the mission's ten points cannot be granted.
  await setBalance(2 ** 53 - 1);
  await send(ann);
  const runner = startFacts({
    database,
    logger: { error: () => {}, warn: () => {} },
    allowPrivateAddresses: true,
    cipher: testCipher,
    onEffects: () => {},
  });
  await until(async () => (await rpc.work.quarantined(scope)).facts.length === 1);
  await runner.stop();
  const { facts, next } = await rpc.work.quarantined(scope);
  expect(next).toBeNull();
  const error = expect.stringContaining("balance_within_range");
  expect(facts).toMatchObject([
    { player: ann, kind: "Event", key: "order_placed", content: "{}", error, words: expect.stringContaining("balance") },
  ]);
  expect(facts[0]!.error).not.toContain("node_modules");
  const { items } = await rpc.events.ofPlayer({ ...scope, player: ann });
  const why = await rpc.events.explain({ ...scope, player: ann, eventId: items[0]!.eventId });
  expect(why, "for all who may look, so without what to do").toMatchObject({
    state: "Quarantined",
    error: "the player's balance would go below zero, or above 9,007,199,254,740,991 points",
  });
  // A trial fails in the same way; once the cause is gone it shows the effect, and leaves nothing behind.
  const attempt = () => rpc.work.tryQuarantined({ ...scope, seq: facts[0]!.seq });
  expect(await attempt()).toMatchObject({ isApplied: false, error });
  await setBalance(0);
  expect(await attempt()).toEqual({ isApplied: true, changes: ["Completes the mission One", "Grants 10 points"] });
  expect([...(await sql`select balance from balances where part = ${part} and player_id = ${playerId}`)]).toEqual([{ balance: 0 }]);
  expect(await rpc.work.quarantined(scope)).toMatchObject({ count: 1, facts });
  const viewer = await signedIn(database, slug, "Viewer");
  await expect(viewer.rpc.work.retryQuarantined({ ...scope, seqs: null })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(viewer.rpc.work.tryQuarantined({ ...scope, seq: facts[0]!.seq })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await sql.begin(async (tx) => {
    await tryRehearsal(tx, id);
    await expect(attempt(), "one at a time").rejects.toThrow("Another event is being tried");
  });
  expect(await rpc.work.retryQuarantined({ ...scope, seqs: [facts[0]!.seq] })).toEqual({ count: 1 });
  expect([...(await sql`select lane from queued_facts where environment_id = ${id}`)]).toEqual([{ lane: fineLaneOf(part) }]);
  await drainFacts(database, id);
  expect((await rpc.work.quarantined(scope)).facts).toEqual([]);
  expect([...(await sql`select balance from balances where part = ${part} and player_id = ${playerId}`)]).toEqual([{ balance: 10 }]);
  await expect(attempt()).rejects.toThrow("no longer in quarantine");
  await expect(rpc.work.retryQuarantined({ ...scope, seqs: null })).rejects.toThrow("nothing to retry");
  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "quarantinedFact" });
  expect(entries).toMatchObject([{ actor: email, action: "retry", subjectKey: facts[0]!.seq }]);
});
