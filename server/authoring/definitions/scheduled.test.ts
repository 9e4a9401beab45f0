import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { moveClockUpTo } from "../../operations/sandbox/move-clock.ts";
import { testCipher } from "../../delivery/testing.ts";
import { drain } from "../../operations/worker/drain.ts";
import { until } from "#db/testing/work.ts";
import { startSchedule, applyDueChanges } from "./service/scheduling.ts";
import { lockExclusive } from "../../engine/store/locks.ts";
import { environmentsWithDueChanges } from "./store/due-changes.ts";
import { mission, points, withMission } from "../../model/definitions/testing/in-memory.ts";
import { environmentNow, loadEnvironment } from "../../engine/environment.ts";
import { importDefinitions } from "./service/import.ts";

const database = await testDatabase();
const { sql } = database;
const HOUR = 3_600_000;
const options = { database, logger: { error: () => {}, warn: () => {} }, cipher: testCipher, allowPrivateAddresses: true };

/** A Sandbox with one mission, whose reward is 5 points. */
async function shop() {
  const project = await testProject(database);
  expect(await importDefinitions(database, project.sandbox, withMission())).not.toHaveProperty("problems");
  const scope = { project: project.slug, environment: "sandbox" as const };
  const { rpc, email } = await signedIn(database, project.slug, "Editor");
  const which = { ...scope, kind: "missions" as const, key: "m" };
  const { id } = project.sandbox;
  const here = async () => (await loadEnvironment(sql, id))!;
  const now = async () => environmentNow(sql, await here());
  const get = () => rpc.definitions.get(which);
  const rewards = async () => (JSON.parse((await get()).document) as { rewards: { points: number }[] }).rewards[0]!.points;
  const documentWith = (amount: number) => JSON.stringify(mission({ rewards: points(amount) }));
  const schedule = async (amount: number, hours: number) => {
    const { revision } = await get();
    const at = formatInstant((await now()) + hours * HOUR);
    return rpc.definitions.scheduleSave({ ...scope, kind: "missions", document: documentWith(amount), revision, at });
  };
  const save = async (more: object) =>
    rpc.definitions.save({ ...scope, kind: "missions", document: JSON.stringify(mission(more)), isNew: false, revision: null });
  const pass = async (hours: number) => moveClockUpTo(database, await here(), (await now()) + hours * HOUR);
  const scheduled = async () => (await rpc.definitions.scheduled(scope)).changes;
  const log = async () => (await rpc.auditLog.list({ project: project.slug })).entries.map(({ action, actor }) => [action, actor]);
  return { ...project, id, now, scope, rpc, email, get, rewards, schedule, save, pass, scheduled, log };
}

test("a change waits for its instant, and is then saved as its author, with its version and its log entry", async () => {
  const { rpc, scope, email, schedule, rewards, pass, scheduled, log } = await shop();
  expect(await schedule(9, 2)).toMatchObject({ problems: [], conflict: null, isChanged: true, id: expect.any(String) as string });
  const { changes } = await rpc.definitions.scheduled({ ...scope, which: { kind: "missions", key: "m" } });
  expect(changes).toMatchObject([{ key: "m", name: "M", by: email, failure: null, differences: [{ before: "5", after: "9" }] }]);
  const { rows } = await rpc.definitions.list({ ...scope, kind: "missions" });
  expect(rows).toMatchObject([{ key: "m", scheduledAt: changes[0]!.at }]);
  await pass(1);
  expect(await rewards()).toBe(5);
  await pass(1);
  expect([await rewards(), await scheduled()]).toEqual([9, []]);
  const { versions } = await rpc.definitions.history({ ...scope, kind: "missions", key: "m" });
  expect(versions[0]).toMatchObject({ version: 2, via: "scheduled", by: email });
  expect((await log()).slice(0, 2)).toEqual([
    ["scheduled", email],
    ["schedule", email],
  ]);
});

test("a change is not made once its author may no longer make it, whether they left or their role is lower now", async () => {
  const { email, schedule, rewards, pass, scheduled } = await shop();
  const ofAuthor = sql`user_id = (select id from users where email = ${email})`;
  await schedule(9, 1);
  await sql`update memberships set role = 'Viewer' where ${ofAuthor}`;
  await pass(1);
  await sql`update memberships set role = 'Editor' where ${ofAuthor}`;
  const message = `${email} may no longer change definitions in the Sandbox. Another Editor can apply it.`;
  expect([await rewards(), await scheduled()]).toMatchObject([5, [{ failure: { error: message } }]]);
});

test("in Live the author's role there is required", async () => {
  const { live, slug } = await testProject(database);
  expect(await importDefinitions(database, live, withMission())).not.toHaveProperty("problems");
  const { rpc, email } = await signedIn(database, slug, "Editor");
  const scope = { project: slug, environment: "live" as const };
  const document = JSON.stringify(mission({ rewards: points(9) }));
  const { revision } = await rpc.definitions.get({ ...scope, kind: "missions", key: "m" });
  const at = formatInstant((await environmentNow(sql, live)) + HOUR);
  const { id } = await rpc.definitions.scheduleSave({ ...scope, kind: "missions", document, revision, at });
  await sql`update memberships set live_role = 'Support' where user_id = (select id from users where email = ${email})`;
  // The service's present is in whole milliseconds.
  await sql`update scheduled_changes set due_at = now() - interval '1 second' where id = ${id}`;
  expect(await applyDueChanges(database, live.id)).toBe(1);
  const [row] = await sql<{ failure: unknown }[]>`select failure::text as failure from scheduled_changes where id = ${id}`;
  expect(row!.failure).toMatch(/may no longer change definitions in Live/);
});

test("a clock that moves past several changes of one definition applies each, in order", async () => {
  const { rpc, scope, schedule, rewards, pass, scheduled } = await shop();
  await schedule(30, 3);
  await schedule(10, 1);
  await schedule(20, 2);
  await pass(24);
  expect([await rewards(), await scheduled()]).toEqual([30, []]);
  const { versions } = await rpc.definitions.history({ ...scope, kind: "missions", key: "m" });
  expect(versions.map(({ via }) => via)).toEqual(["scheduled", "scheduled", "scheduled", "import"]);
});

test("a change that another author scheduled later, and that came first, is not overwritten; an earlier one is known to them", async () => {
  const { slug, rpc, scope, schedule, rewards, pass, scheduled, now } = await shop();
  const bob = await signedIn(database, slug, "Editor");
  const byBob = async (amount: number, hours: number) => {
    const { revision } = await rpc.definitions.get({ ...scope, kind: "missions", key: "m" });
    const [document, at] = [JSON.stringify(mission({ rewards: points(amount) })), formatInstant((await now()) + hours * HOUR)];
    return bob.rpc.definitions.scheduleSave({ ...scope, kind: "missions", document, revision, at });
  };
  await schedule(10, 1);
  await schedule(40, 4);
  await byBob(20, 2);
  await byBob(30, 3);
  await pass(5);
  expect([await rewards(), await scheduled()]).toMatchObject([30, [{ failure: { conflict: { by: bob.email } } }]]);
});

test("changes made meanwhile are not overwritten: the change fails, is kept, and is applied only on purpose", async () => {
  const { rpc, scope, email, schedule, save, rewards, pass, scheduled, log } = await shop();
  await schedule(9, 1);
  await save({ name: "Renamed", rewards: points(7) });
  await pass(2);
  expect(await rewards()).toBe(7);
  const [failed] = await scheduled();
  expect(failed).toMatchObject({ failure: { conflict: { by: email }, problems: [] } });
  expect((await log())[0]).toEqual(["schedule_failed", "the service"]);
  const { attention } = await rpc.analytics.overview(scope);
  expect(attention).toMatchObject([{ kind: "ScheduledChangeFailed", definition: { key: "m" }, isGone: false }]);
  const { id } = failed!;
  expect(await rpc.definitions.applyScheduled({ ...scope, id })).toMatchObject({ conflict: { by: email } });
  expect(await rewards()).toBe(7);
  expect(await rpc.definitions.applyScheduled({ ...scope, id, overwrite: true })).toMatchObject({ conflict: null, problems: [] });
  expect([await rewards(), await scheduled()]).toEqual([9, []]);
});

test("a change with problems, or of a deleted definition, is kept with the reason, and does not block others", async () => {
  const { rpc, scope, now, schedule, save, rewards, pass, scheduled } = await shop();
  await save({ rewards: points(6) });
  const item = { kind: "CatalogItem", catalogItem: "coffee", value: 1 };
  const { revision } = await rpc.definitions.get({ ...scope, kind: "missions", key: "m" });
  const at = formatInstant((await now()) + HOUR);
  const document = JSON.stringify(mission({ rewards: [item] }));
  await rpc.definitions.scheduleSave({ ...scope, kind: "missions", document, revision, at });
  await rpc.definitions.setActive({ ...scope, kind: "catalogItems", key: "coffee", active: false });
  const attribute = { key: "tier", name: "Level", type: "String" };
  const tier = await rpc.definitions.get({ ...scope, kind: "attributes", key: "tier" });
  const later = formatInstant(Date.parse(at) + HOUR);
  await rpc.definitions.scheduleSave({
    ...scope,
    kind: "attributes",
    document: JSON.stringify(attribute),
    revision: tier.revision,
    at: later,
  });
  const age = await rpc.definitions.get({ ...scope, kind: "attributes", key: "age" });
  const renamed = JSON.stringify({ key: "age", name: "Years", type: "Number" });
  await rpc.definitions.scheduleSave({ ...scope, kind: "attributes", document: renamed, revision: age.revision, at });
  await rpc.definitions.remove({ ...scope, kind: "attributes", key: "age" });
  await pass(3);
  expect(await rewards()).toBe(6);
  expect((await rpc.definitions.get({ ...scope, kind: "attributes", key: "tier" })).name).toBe("Level");
  const left = await scheduled();
  expect(left.map(({ key, failure }) => [key, failure?.problems.length])).toEqual([
    ["m", 1],
    ["age", 1],
  ]);
  expect(await schedule(8, 1)).toMatchObject({ isChanged: true });
});

test("two workers save it once, and it stays due after a rollback", async () => {
  const { id, rpc, scope, schedule, rewards, scheduled } = await shop();
  await schedule(9, 1);
  await sql`update scheduled_changes set due_at = now() - interval '1 second' where environment_id = ${id}`;
  await sql`create or replace function break_off() returns trigger language plpgsql as $$ begin raise exception 'broken off' using errcode = tg_argv[0]; end $$`;
  await sql`create trigger broken after delete on scheduled_changes for each row execute function break_off('57P01')`;
  await expect(applyDueChanges(database, id)).rejects.toThrow("broken off");
  await sql`drop trigger broken on scheduled_changes`;
  expect([await rewards(), (await scheduled()).length]).toEqual([5, 1]);
  await Promise.all([applyDueChanges(database, id), applyDueChanges(database, id)]);
  expect([await rewards(), await scheduled()]).toEqual([9, []]);
  const { versions } = await rpc.definitions.history({ ...scope, kind: "missions", key: "m" });
  expect(versions).toHaveLength(2);
});

test("an unexpected error is kept with the change in plain words, and logged completely", async () => {
  const { id, schedule, rewards, scheduled } = await shop();
  await schedule(9, 1);
  await sql`update scheduled_changes set due_at = now() - interval '1 second' where environment_id = ${id}`;
  await sql`create trigger broken after delete on scheduled_changes for each row execute function break_off('XX000')`;
  const faults: unknown[] = [];
  expect(await applyDueChanges(database, id, { onFault: (error) => faults.push(error) })).toBe(1);
  await sql`drop trigger broken on scheduled_changes`;
  expect(String(faults)).toContain("broken off");
  const error = "An unexpected error occurred. The log has it.";
  expect(await scheduled()).toMatchObject([{ failure: { error } }]);
  expect(await rewards()).toBe(5);
});

test("a drain saves due changes without a worker; archived projects wait; cancelled changes are never saved", async () => {
  const { id, slug, rpc, scope, schedule, rewards, scheduled, log } = await shop();
  await schedule(8, 1);
  const second = await schedule(9, 2);
  await rpc.definitions.cancelScheduled({ ...scope, id: second.id! });
  expect((await log())[0]![0]).toBe("cancel_schedule");
  await sql`update scheduled_changes set due_at = now() - interval '1 second' where environment_id = ${id}`;
  await sql`update projects set archived_at = now() where slug = ${slug}`;
  expect(await environmentsWithDueChanges(sql)).not.toContain(id);
  await sql`update projects set archived_at = null where slug = ${slug}`;
  await drain(options, ["scheduledChanges"], 10_000);
  expect([await rewards(), await scheduled()]).toEqual([8, []]);
});

test("a change that its author schedules again after a lost answer is scheduled once", async () => {
  const { rpc, scope, get, now, scheduled } = await shop();
  const [{ revision }, at] = [await get(), formatInstant((await now()) + HOUR)];
  const again = () =>
    rpc.definitions.scheduleSave({ ...scope, kind: "missions", document: JSON.stringify(mission({ rewards: points(9) })), revision, at });
  const { id } = await again();
  expect([await again(), await scheduled()]).toMatchObject([{ id, isChanged: true }, [{ id }]]);
});

test("an invalid, past or outdated change is refused when it is made", async () => {
  const { rpc, scope, get, schedule, save } = await shop();
  const { revision } = await get();
  await expect(schedule(9, -1)).rejects.toThrow("in the future");
  const at = formatInstant(Date.now() + HOUR);
  const wrong = JSON.stringify(mission({ rewards: [{ kind: "CatalogItem", catalogItem: "none", value: 1 }] }));
  const refused = await rpc.definitions.scheduleSave({ ...scope, kind: "missions", document: wrong, revision, at });
  expect(refused).toMatchObject({ id: null, problems: [{ pointer: "/rewards/0/catalogItem" }] });
  await save({ rewards: points(6) });
  const document = JSON.stringify(mission({ rewards: points(9) }));
  expect(await rpc.definitions.scheduleSave({ ...scope, kind: "missions", document, revision, at })).toMatchObject({
    id: null,
    conflict: { environment: "sandbox" },
  });
});

test("an environment that is locked for long does not delay the changes of others", async () => {
  const [locked, other] = [await shop(), await shop()];
  for (const { id, schedule } of [locked, other]) {
    await schedule(9, 1);
    await sql`update scheduled_changes set due_at = now() - interval '1 minute' where environment_id = ${id}`;
  }
  const released = Promise.withResolvers<void>();
  const held = sql.begin(async (tx) => {
    await lockExclusive(tx, locked.id);
    await released.promise;
  });
  const runner = startSchedule({ ...options, onEffects: () => {} });
  await until(async () => (await other.rewards()) === 9);
  released.resolve();
  await held;
  await until(async () => (await locked.rewards()) === 9);
  await runner.stop();
});
