import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { LISTS } from "../../insight/exports/lists.ts";
import { readChanges } from "./read.ts";
import { recordChange } from "./record.ts";

const database = await testDatabase();

async function projectWithLog() {
  const project = await testProject(database);
  await database.sql`delete from audit_log where project_id = ${project.sandbox.projectId}`;
  const record = (actor: string, action: string, subjectKey: string, environmentId: number | null = project.sandbox.id) =>
    database.sql.begin((tx) =>
      recordChange(tx, {
        projectId: project.sandbox.projectId,
        environmentId,
        actor: { userId: null, name: actor },
        action,
        subjectKind: action === "invite" ? "member" : "missions",
        subjectKey,
        difference: [{ type: "CHANGE", path: ["rewards", 0], oldValue: 1, value: { points: 2 } }],
      }),
    );
  return { ...project, record, ...(await signedIn(database, project.slug, "Viewer")) };
}

test("is read page by page, the newest first, each entry once, while it grows", async () => {
  const { slug, record, rpc } = await projectWithLog();
  for (let at = 0; at < 7; at++) await record("ann", "update", `m${at}`);
  const keys: (string | null)[] = [];
  for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
    const { entries, next } = await rpc.auditLog.list({ project: slug, cursor, take: 3 });
    keys.push(...entries.map(({ subjectKey }) => subjectKey));
    cursor = next;
    await record("bob", "update", "later");
  }
  expect(keys).toEqual(["m6", "m5", "m4", "m3", "m2", "m1", "m0"]);
});

test("is filtered by person, action, kind, environment and time, and lists the available filters", async () => {
  const { slug, live, record, rpc } = await projectWithLog();
  await record("ann", "create", "one");
  await database.sql`update audit_log set at = at - interval '1 hour' where project_id = ${live.projectId}`;
  await record("bob", "update", "two");
  await record("ann", "update", "three", live.id);
  await record("ann", "invite", "carl", null);
  const found = async (filter: object) =>
    (await rpc.auditLog.list({ project: slug, ...filter })).entries.map(({ subjectKey }) => subjectKey);
  expect(await found({ actor: "ann", environment: "sandbox" })).toEqual(["one"]);
  expect(await found({ action: "update" })).toEqual(["three", "two"]);
  expect(await found({ subjectKind: "member" })).toEqual(["carl"]);
  expect(await found({ environment: "project" })).toEqual(["carl"]);
  expect(await found({ environment: "live" })).toEqual(["three"]);
  expect(await found({ subjectKey: "two" })).toEqual(["two"]);
  for (const member of ["actor", "action", "subjectKind", "subjectKey"]) expect(await found({ [member]: "\0" })).toEqual([]);
  const [, second] = (await rpc.auditLog.list({ project: slug })).entries.reverse();
  expect(await found({ until: second!.at })).not.toContain("two");
  expect(await found({ from: second!.at })).not.toContain("one");
  expect(await rpc.auditLog.facets({ project: slug })).toEqual({
    actors: ["ann", "bob"],
    actions: ["create", "invite", "update"],
    subjectKinds: ["member", "missions"],
  });
});

test("shows each field's value before and after, whichever verb wrote the entry", async () => {
  const { slug, sandbox, record, rpc } = await projectWithLog();
  await record("ann", "update", "one");
  await database.sql.begin((tx) =>
    recordChange(tx, {
      projectId: sandbox.projectId,
      environmentId: sandbox.id,
      actor: { userId: null, name: "import" },
      action: "update",
      subjectKind: "missions",
      subjectKey: "one",
      difference: [{ path: ["name"], before: "Old", after: "New" }],
    }),
  );
  const { entries } = await rpc.auditLog.list({ project: slug });
  expect(entries.map(({ changes }) => changes)).toEqual([
    [{ path: "name", before: '"Old"', after: '"New"' }],
    [{ path: "rewards / 0", before: "1", after: '{"points":2}' }],
  ]);
});

test("a page leaves long values out, however they are stored: each is read separately, and an export has all of them", async () => {
  const { slug, sandbox, rpc } = await projectWithLog();
  const long = { again: "ab".repeat(200_000), ever: randomBytes(200_000).toString("base64"), brief: "ab".repeat(1_000) };
  const entries = Array.from({ length: 20 }, () => Object.entries(long)).flat();
  await database.sql.begin((tx) =>
    recordChange(
      tx,
      ...entries.map(([subjectKey, after]) => ({
        ...{ projectId: sandbox.projectId, environmentId: sandbox.id, actor: { userId: null, name: "ann" } },
        ...{ action: "update", subjectKind: "missions", subjectKey, difference: [{ path: ["name"], before: "Old", after }] },
      })),
    ),
  );
  const page = await rpc.auditLog.list({ project: slug, parts: "listed", take: 500 });
  expect(page.entries).toHaveLength(60);
  expect(JSON.stringify(page).length).toBeLessThan(100_000);
  for (const { id, subjectKey, isLong, changes } of page.entries.slice(0, 3)) {
    const after = long[subjectKey as keyof typeof long];
    const whole = [{ path: "name", before: '"Old"', after: JSON.stringify(after) }];
    expect([isLong, changes]).toEqual(subjectKey === "brief" ? [false, whole] : [true, []]);
    expect(await rpc.auditLog.changes({ project: slug, id })).toEqual({ changes: whole, isCut: false });
  }
  expect(await readChanges(database, sandbox.projectId, Number(page.entries[1]!.id), 1_000)).toEqual({ changes: [], isCut: true });
  const lines: string[] = [];
  for await (const some of await LISTS["audit-log"]!.open(database, sandbox, {})) lines.push(...some);
  expect(lines.map((line) => line.length > 200_000)).toEqual(page.entries.map(({ isLong }) => isLong));
});

test("cannot be read from another project", async () => {
  const mine = await projectWithLog();
  const other = await projectWithLog();
  await other.record("ann", "update", "theirs");
  expect((await mine.rpc.auditLog.list({ project: mine.slug })).entries).toEqual([]);
  await expect(mine.rpc.auditLog.list({ project: other.slug })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
