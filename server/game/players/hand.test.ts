import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sharedDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { lockExclusive } from "../../engine/store/locks.ts";
import { findEnvironment } from "../../people/projects/environments.ts";
import { until } from "#db/testing/work.ts";
import { savePlayer } from "./service/players.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";

const database = await sharedDatabase();

async function withAnn() {
  const project = await testProject(database);
  const sandbox = await findEnvironment(database, project.slug, "sandbox");
  await savePlayer(database, sandbox, Date.now(), "ann", { displayName: "Ann" });
  const { rpc, email } = await signedIn(database, project.slug, "Editor");
  const ann = { project: project.slug, environment: "sandbox" as const, externalId: "ann" };
  const logged = async () => {
    const { entries } = await rpc.auditLog.list({ project: project.slug, subjectKind: "player" });
    return entries.map(({ actor, action, subjectKey, changes }) => ({ actor, action, subjectKey, changes }));
  };
  return { rpc, email, ann, logged, sandbox };
}

test("points are adjusted once for each press of the button, with the person and the reason in the audit log", async () => {
  const { rpc, email, ann, logged } = await withAnn();
  const requestId = randomUUID();
  const adjust = () => rpc.players.adjustPoints({ ...ann, amount: 30, reason: " Spilled coffee ", requestId });
  expect(await Promise.all([adjust(), adjust(), adjust()])).toEqual(Array(3).fill({ balance: 30 }));
  expect(await logged()).toEqual([
    {
      ...{ actor: email, action: "adjust_points", subjectKey: "ann" },
      changes: [
        { path: "points", before: null, after: "30" },
        { path: "balance", before: null, after: "30" },
        { path: "reason", before: null, after: '"Spilled coffee"' },
      ],
    },
  ]);
  await expect(rpc.players.adjustPoints({ ...ann, amount: -31, reason: "Too much", requestId: randomUUID() })).rejects.toThrow("too low");
  await expect(rpc.players.adjustPoints({ ...ann, amount: 1, reason: "  ", requestId: randomUUID() })).rejects.toThrow("Give a reason");
  expect(await logged()).toHaveLength(1);
  expect((await rpc.players.get(ann)).balance.balance).toBe(30);
});

test("name and zone are changed with a reason; unchanged fields are not logged", async () => {
  const { rpc, ann, logged } = await withAnn();
  const change = (fields: { displayName: string | null; timeZone: string | null }) =>
    rpc.players.changeProfile({ ...ann, ...fields, reason: "She asked" });
  expect(await change({ displayName: "Anna", timeZone: "Asia/Tokyo" })).toEqual({ displayName: "Ann", timeZone: null });
  expect(await change({ displayName: "Anna", timeZone: "Asia/Tokyo" })).toEqual({ displayName: "Anna", timeZone: "Asia/Tokyo" });
  expect(await rpc.players.get(ann)).toMatchObject({ displayName: "Anna", timeZone: "Asia/Tokyo" });
  const [entry, ...others] = await logged();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ action: "update", changes: [{ path: "displayName", before: '"Ann"', after: '"Anna"' }, {}, {}] });
  await expect(rpc.players.changeProfile({ ...ann, externalId: "bob", displayName: null, timeZone: null, reason: "?" })).rejects.toThrow(
    "no such player",
  );
});

test("a mission that is granted while its player is erased creates no player", async () => {
  const { rpc, ann, sandbox } = await withAnn();
  await importDefinitions(database, sandbox, {
    version: 1,
    events: [{ key: "order", name: "Order" }],
    missions: [
      {
        key: "one",
        name: "One",
        objectives: [{ event: "order", operator: "GreaterThan", target: 1 }],
        rewards: [{ kind: "Points", points: 1 }],
      },
    ],
  });
  let granting: Promise<unknown> = Promise.resolve();
  await database.sql.begin(async (tx) => {
    // As an erasure does.
    await lockExclusive(tx, sandbox.id);
    granting = rpc.players.grantMission({ ...ann, mission: "one", reason: "by mistake", requestId: randomUUID() });
    granting.catch(() => undefined);
    await until(async () => {
      const waiting = await database.sql`
        select from pg_locks where locktype = 'advisory' and classid = 1 and objid = ${sandbox.id} and not granted`;
      return waiting.length > 0;
    });
    await tx`delete from players where environment_id = ${sandbox.id}`;
  });
  await expect(granting).rejects.toThrow("no such player");
  expect(await database.sql`select from players where environment_id = ${sandbox.id}`).toHaveLength(0);
});

test("a note stands in the timeline with its author; a player has at most two hundred", async () => {
  const { rpc, email, ann, sandbox } = await withAnn();
  await rpc.players.writeNote({ ...ann, note: "  Called on Monday.\nWants her points.  " });
  const { entries } = await rpc.players.timeline(ann);
  expect(entries[0]).toMatchObject({ type: "Staff", actor: email, action: "note", reason: "Called on Monday.\nWants her points." });
  for (const note of [" ", "x".repeat(2_001)]) await expect(rpc.players.writeNote({ ...ann, note })).rejects.toThrow("Write a note of");
  await expect(rpc.players.writeNote({ ...ann, externalId: "bob", note: "?" })).rejects.toThrow("no such player");
  await database.sql`
    insert into audit_log (project_id, environment_id, actor, action, subject_kind, subject_key)
    select ${sandbox.projectId}, ${sandbox.id}, 'a person', 'note', 'player', 'ann' from generate_series(2, 199)`;
  const last = await Promise.allSettled([1, 2].map(() => rpc.players.writeNote({ ...ann, note: "One more." })));
  expect(last.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a hidden player is shown with the reason and the person, until they are shown again", async () => {
  const { rpc, email, ann } = await withAnn();
  expect((await rpc.players.get(ann)).hiding).toBeNull();
  await rpc.players.hideFromBoards({ ...ann, reason: "Shared an account" });
  expect((await rpc.players.get(ann)).hiding).toEqual({ actor: email, reason: "Shared an account" });
  await rpc.players.showOnBoards({ ...ann, reason: "A mistake" });
  expect((await rpc.players.get(ann)).hiding).toBeNull();
});
