import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { type Environment, COMMAND_LINE } from "../../model/kernel/environment.ts";
import { erasePlayer } from "../privacy/erase.ts";
import { playerKey } from "../../model/players/identity.ts";
import { listErasures, repeatErasures } from "../privacy/repeat.ts";
import { FINE_LANES } from "../../model/kernel/lanes.ts";
import { applyFirst } from "../../engine/apply.ts";
import { until } from "#db/testing/work.ts";
import type { ImportKind } from "../../model/imports/items.ts";
import { addPiece, cancelImport, createImport, listImports, refusedLines, startImport } from "./service/imports.ts";
import { importStep } from "./service/runner.ts";
import { type Choices, deleteOldImports, failImport, takeDue } from "./store/imports.ts";
import { importDefinitions } from "../../authoring/definitions/service/import.ts";
import { loadEnvironment } from "../../engine/environment.ts";

const database = await testDatabase();
const { sql } = database;
let environment: Environment;

const QUIETLY: Choices = { enters: "Nobody", segmentKey: null, notifies: false };

beforeEach(async () => {
  environment = (await testProject(database)).live;
  const result = await importDefinitions(database, environment, {
    version: 1,
    events: [{ key: "order", name: "Order", properties: [{ key: "amount", type: "Number", required: true }] }],
    attributes: [{ key: "tier", name: "Tier", type: "String" }],
    segments: [{ key: "gold", name: "Gold", rule: { attribute: "tier", operator: "EqualTo", value: "gold" } }],
    missions: [
      {
        ...{ key: "five", name: "Five orders", rewards: [{ kind: "Points", points: 10 }] },
        objectives: [
          { description: "Order five times", event: "order", measure: { kind: "Count" }, operator: "GreaterThanOrEqualTo", target: 5 },
        ],
      },
    ],
  });
  expect(result).not.toHaveProperty("problems");
  environment = (await loadEnvironment(sql, environment.id))!;
});

/** Uploads a file in pieces and has it checked. */
async function check(kind: ImportKind, text: string, { reason = null as string | null, size = 1_000 } = {}): Promise<string> {
  const format = text.startsWith("{") ? "jsonl" : "csv";
  const id = await createImport(database, environment, { kind, format, fileName: `${kind}.${format}`, reason }, COMMAND_LINE);
  for (let number = 0; number * size < text.length; number++) {
    const piece = { number, text: text.slice(number * size, (number + 1) * size), isLast: (number + 1) * size >= text.length };
    await addPiece(database, environment, id, piece);
  }
  await steps();
  return id;
}

/** Runs steps of imports, and applies the facts that they add, until nothing is due. */
async function steps(): Promise<void> {
  for (let step = await importStep(database); step !== null; step = await importStep(database)) await fold();
}

async function fold(): Promise<void> {
  const lanes = Array.from({ length: FINE_LANES }, (_, lane) => lane);
  while ((await database.sql.begin((tx) => applyFirst(tx, lanes, environment.id, 1_000))).facts.length > 0);
}

async function run(kind: ImportKind, text: string, choices: Choices = QUIETLY, reason: string | null = null): Promise<string> {
  const id = await check(kind, text, { reason });
  await startImport(database, environment, id, choices, COMMAND_LINE);
  await steps();
  return id;
}

const shown = async (id: string) => (await listImports(sql, environment.id, 20)).find((one) => one.id === id)!;

const count = async (table: string): Promise<number> =>
  Number((await sql.unsafe<{ count: number }[]>(`select count(*) from ${table} where environment_id = $1`, [environment.id]))[0]!.count);

/** All player data, for comparison. */
const state = async () => {
  const [row] = await sql<{ state: string }[]>`
    select json_build_object(
      'events', (select count(*) from events where environment_id = ${environment.id}),
      'points', (select json_agg(json_build_array(p.external_id, b.balance) order by p.external_id) from players p
        join balances b on b.part = p.part and b.player_id = p.player_id where p.environment_id = ${environment.id}),
      'completions', (select count(*) from mission_completions c join players p on p.part = c.part and p.player_id = c.player_id
        where p.environment_id = ${environment.id}))::text as state`;
  return row!.state;
};

const orders = (players: number, each: number): string => {
  const lines = Array.from({ length: players * each }, (_, at) => {
    const day = String(28 - (at % 28)).padStart(2, "0");
    return `p${at % players},order,2026-01-${day}T10:00:00Z,${at}`;
  });
  return `playerId,event,occurredAt,amount\n${lines.join("\n")}\n`;
};

test("a dry run writes nothing, and gives the reason for each refused line", async () => {
  const file = [
    "playerId,event,occurredAt,amount",
    "p1,order,2026-01-01T00:00:00Z,5",
    "p2,unheard,2026-01-01T00:00:00Z,5",
    ",order,yesterday,5",
    "p4,order,2026-01-01T00:00:00Z,much",
    "p5,order,2026-01-01T00:00:00Z,1,2",
  ].join("\n");
  const id = await check("events", file);
  expect(await shown(id)).toMatchObject({ status: "Ready", lines: 5, refused: 4, repeated: 0, applied: 0 });
  expect([await count("events"), await count("players"), await count("queued_facts")]).toEqual([0, 0, 0]);
  const refused = await refusedLines(sql, id, 0, 10);
  expect(refused.map(({ line, problems }) => [line, problems.length])).toEqual([
    [3, 1],
    [4, 2],
    [5, 1],
    [6, 1],
  ]);
  expect(refused[0]!.problems[0]).toContain("unheard");
  expect(JSON.parse(refused[2]!.content)).toMatchObject({ playerId: "p4", properties: { amount: "much" } });
});

test("the reason for a refused line may repeat a name that is cut within a character", async () => {
  const line = { playerId: "p1", event: "order", occurredAt: "2026-01-01T00:00:00Z", properties: { [`x${"😀".repeat(60)}`]: 1 } };
  const id = await check("events", JSON.stringify(line));
  expect(await shown(id)).toMatchObject({ status: "Ready", lines: 1, refused: 1 });
});

test("events are imported in order of time, enter players first, and send no webhooks unless asked to", async () => {
  await sql`
    insert into webhook_endpoints (id, environment_id, url, events, secret)
    values (gen_random_uuid(), ${environment.id}, 'http://127.0.0.1:1/', '{mission.completed}', '\\x00')`;
  await run("events", orders(3, 6), { ...QUIETLY, enters: "Everybody" });
  expect(JSON.parse(await state())).toMatchObject({ events: 18, completions: 3, points: [["p0", 10], ["p1", 10], ["p2", 10]] }); // oxfmt-ignore
  expect(await count("webhook_deliveries")).toBe(0);
  const seqs = await sql<
    { at: string }[]
  >`select occurred_at::text as at from events where environment_id = ${environment.id} order by seq`;
  expect(seqs.map(({ at }) => at)).toEqual(seqs.map(({ at }) => at).toSorted());

  await run("events", orders(3, 6).replaceAll("p", "q").replace("qlayerId", "playerId"), {
    ...QUIETLY,
    enters: "Everybody",
    notifies: true,
  });
  expect(await count("webhook_deliveries")).toBe(3);
});

test("only players of the chosen segment are entered", async () => {
  await run("attributes", "playerId,tier\ng,gold\ns,silver\n", { ...QUIETLY, enters: "Segment", segmentKey: "gold" });
  const entered = await sql<{ externalId: string }[]>`
    select p.external_id from mission_states s join players p on p.part = s.part and p.player_id = s.player_id
    where p.environment_id = ${environment.id}`;
  expect(entered).toEqual([{ externalId: "g" }]);
});

describe("nothing is imported twice", () => {
  test.each(["before it was noted", "in the middle of a slice"])(
    "an import whose worker died %s continues, and ends like an uninterrupted one",
    async (when) => {
      await run("players", `playerId\n${Array.from({ length: 30 }, (_, at) => `p${at}`).join("\n")}`);
      const points = `playerId,points\n${Array.from({ length: 240 }, (_, at) => `p${at % 30},${1 + (at % 3)}`).join("\n")}`;
      const id = await check("points", points, { reason: "Moved here" });
      await startImport(database, environment, id, QUIETLY, COMMAND_LINE);
      await importStep(database);
      // After a kill -9: points are written, but the import does not know of them and has no worker.
      const before = await sql`select * from imports where id = ${id}`;
      await sql`create table waiting_lines as select * from import_lines where import_id = ${id}`;
      await importStep(database);
      await sql`delete from import_lines where import_id = ${id}`;
      await sql`insert into import_lines select * from waiting_lines`;
      await sql`drop table waiting_lines`;
      await sql`update imports set status = 'Running', finished_at = null, applied = ${before[0]!.applied}, lease = gen_random_uuid(), leased_until = now() - interval '1 second' where id = ${id}`;
      if (when === "in the middle of a slice")
        await sql`
        with lost as (select t.ctid from points_transactions t where environment_id = ${environment.id} and seq % 2 = 0 order by seq desc limit 15),
        gone as (delete from points_transactions t using lost where t.ctid = lost.ctid returning part, player_id, amount)
        update balances b set balance = b.balance - g.sum from (select part, player_id, sum(amount) as sum from gone group by 1, 2) g
        where b.part = g.part and b.player_id = g.player_id`;
      await steps();
      expect(await shown(id)).toMatchObject({ status: "Done", lines: 240, applied: 240, refused: 0 });
      const [sum] = await sql<{ sum: number; rows: number }[]>`
      select sum(amount)::int as sum, count(*)::int as rows from points_transactions where environment_id = ${environment.id}`;
      expect(sum).toEqual({ sum: 480, rows: 240 });
      expect((await sql`select from import_lines where import_id = ${id}`).length).toBe(0);
    },
  );

  test("repeating the file, or a corrected one, changes nothing for lines that were applied", async () => {
    const file =
      "playerId,event,occurredAt,amount\np1,order,2026-01-01T00:00:00Z,1\np1,order,2026-01-01T00:00:00Z,1\np2,order,2026-01-02T00:00:00Z,x\n";
    await run("events", file);
    expect(await count("events")).toBe(2);
    const again = await run("events", file);
    expect(await shown(again)).toMatchObject({ status: "Done", lines: 3, refused: 1, repeated: 2 });
    await run("events", file.replace(",x", ",3"));
    expect(await count("events"), "two that say the same, and the mended one").toBe(3);
  });

  test("two concurrent workers apply each line once", async () => {
    const id = await check("events", orders(20, 40));
    await startImport(database, environment, id, QUIETLY, COMMAND_LINE);
    await Promise.all([steps(), steps()]);
    await steps();
    expect(await shown(id)).toMatchObject({ status: "Done", applied: 800 });
    expect(await count("events")).toBe(800);
  });
});

test("points go to known players only, and a balance that would fall below zero is reported, not skipped", async () => {
  await run("players", "playerId,displayName,timeZoneId\np1,Ann,Europe/Amsterdam\np2,,Nowhere\n");
  const id = await run("points", "playerId,points\np1,5\np1,-9\np1,1.5\nstranger,5\n", QUIETLY, "Moved here");
  expect(await shown(id)).toMatchObject({ status: "Done", lines: 4, applied: 1, refused: 3 });
  expect((await refusedLines(sql, id, 0, 10)).map(({ line }) => line)).toEqual([3, 4, 5]);
  const [ledger] = await sql`select amount, reason from points_transactions where environment_id = ${environment.id}`;
  expect(ledger).toEqual({ amount: 5, reason: "Moved here" });
});

test("a last piece that is sent again, since its answer was lost, changes nothing, though the file is checked by then", async () => {
  const id = await check("players", "playerId\nann\n");
  const again = () => addPiece(database, environment, id, { number: 0, text: "playerId\nann\n", isLast: true });
  await again();
  expect(await shown(id)).toMatchObject({ status: "Ready", lines: 1 });
  await cancelImport(database, environment, id, COMMAND_LINE);
  await expect(again()).rejects.toThrow("complete");
});

test("a cancelled import stops, keeps applied lines, and deletes the rest of the file", async () => {
  const id = await check("events", orders(10, 60));
  await startImport(database, environment, id, QUIETLY, COMMAND_LINE);
  await importStep(database);
  await cancelImport(database, environment, id, COMMAND_LINE);
  await steps();
  expect(await shown(id)).toMatchObject({ status: "Cancelled", applied: 500 });
  expect(await count("events")).toBe(500);
  expect(await count("import_lines")).toBe(0);
  const audit = await sql<
    { action: string }[]
  >`select action from audit_log where environment_id = ${environment.id} and subject_kind = 'dataImport' order by id`;
  expect(audit.map(({ action }) => action)).toEqual(["run", "cancel"]);
});

test("an erased player's lines are deleted, refused ones too", async () => {
  await run("players", "playerId\np1\n");
  const id = await check("events", "playerId,event,occurredAt,amount\np1,order,2026-01-01T00:00:00Z,x\np2,order,2026-01-01T00:00:00Z,1\n");
  await erasePlayer(database, environment, "p1", "They asked");
  expect(await refusedLines(sql, id, 0, 10)).toEqual([]);
  expect(await count("import_lines")).toBe(1);
});

test("a line that could not be read is deleted with the player whom its text names, or kept without the text if it is read afterwards", async () => {
  const [header, unreadable] = ["playerId,event,occurredAt,amount\n", (id: string) => `${id},order,2026-01-01T00:00:00Z,1,more\n`];
  await run("players", "playerId\np1\np2\n");
  const id = await check("events", header + unreadable("p1") + unreadable("other"));
  const later = await createImport(database, environment, { kind: "events", format: "csv", fileName: "e.csv", reason: null }, COMMAND_LINE);
  await addPiece(database, environment, later, { number: 0, text: header + unreadable("p1"), isLast: true });
  await erasePlayer(database, environment, "p1", "They asked");
  await steps();
  expect((await refusedLines(sql, id, 0, 10)).map(({ line }) => line)).toEqual([3]);
  expect((await refusedLines(sql, later, 0, 10)).map(({ line, content }) => [line, content])).toEqual([[2, "{}"]]);
});

test("lines that could not be read are searched before an erasure keeps its environment waiting, and again where a file is read meanwhile", async () => {
  const file = "playerId,event,occurredAt,amount\np1,order,2026-01-01T00:00:00Z,1,more\n";
  await run("players", "playerId\np1\n");
  const id = await check("events", file);
  const later = await createImport(database, environment, { kind: "events", format: "csv", fileName: "e.csv", reason: null }, COMMAND_LINE);
  await addPiece(database, environment, later, { number: 0, text: file, isLast: true });
  let erasure = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`select from import_lines where import_id = ${id} for update`;
    erasure = erasePlayer(database, environment, "p1", "They asked");
    await until(
      async () => (await sql`select from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()`).length > 0,
    );
    await importStep(database);
    expect(await refusedLines(sql, later, 0, 10)).toHaveLength(1);
  });
  await erasure;
  for (const one of [id, later]) expect(await refusedLines(sql, one, 0, 10)).toEqual([]);
});

describe("an erased player does not come back", () => {
  const FILES: [ImportKind, string][] = [
    ["players", "playerId,displayName\np1,Ann\np2,Bob\n"],
    ["attributes", "playerId,tier\np1,gold\np2,gold\n"],
    ["events", "playerId,event,occurredAt,amount\np1,order,2026-01-01T00:00:00Z,1\np2,order,2026-01-01T00:00:00Z,1\n"],
    ["points", "playerId,points\np1,5\np2,5\n"],
  ];

  test.each(FILES)("by a slice of %s that was read before", async (kind, file) => {
    await run("players", kind === "points" ? "playerId\np1\np2\n" : "playerId\np1\n");
    const id = await check(kind, file, { reason: kind === "points" ? "history" : null });
    await startImport(database, environment, id, kind === "points" ? QUIETLY : { ...QUIETLY, enters: "Everybody" }, COMMAND_LINE);
    // The erasure has its locks and waits for the row: the slice has read the line already, and then waits for the erasure.
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = sql.begin(async (tx) => {
      await tx`select from players where environment_id = ${environment.id} and external_id = 'p1' for update`;
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const erasure = erasePlayer(database, environment, "p1", "They asked");
    await until(async () => (await locks(true)) > 0);
    const step = importStep(database).catch((error: unknown) => error);
    await Promise.race([step, until(async () => (await locks(false)) > 0)]);
    released.resolve();
    await Promise.all([held, erasure]);
    expect(await step, "the slice is put off").toBeInstanceOf(Error);
    await sql`update imports set leased_until = now() - interval '1 second' where id = ${id}`;
    await steps();
    expect(await shown(id)).toMatchObject({ status: "Done", applied: 1, refused: 0 });
    expect(await players()).toEqual(["p2"]);
  });

  test("by a file that was uploaded before and not read yet", async () => {
    await run("players", "playerId\np1\n");
    const id = await createImport(database, environment, { kind: "players", format: "csv", fileName: "p.csv", reason: null }, COMMAND_LINE);
    await addPiece(database, environment, id, { number: 0, text: "playerId\np1\np2\n", isLast: true });
    await erasePlayer(database, environment, "p1", "They asked");
    await steps();
    expect(await shown(id)).toMatchObject({ status: "Ready", lines: 1 });
    // A later file is about a new player.
    await run("players", "playerId\np1\n");
    expect(await players()).toEqual(["p1"]);
  });

  const players = async () =>
    (await sql<{ id: string }[]>`select external_id as id from players where environment_id = ${environment.id} order by 1`).map(
      ({ id }) => id,
    );

  /** The locks of this environment's players, either held exclusively or waited for. */
  const locks = async (isHeld: boolean) => {
    const rows = await sql`
      select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and classid in (1, 3) and objid = ${environment.id} and granted = ${isHeld} and (not ${isHeld}::bool or mode = 'ExclusiveLock' and classid = 1)`;
    return rows.length;
  };
});

test("a player imported under an erased one's id is new, whenever they were first seen: a repeated erasure does not take them", async () => {
  await run("players", "playerId\np1\n");
  await erasePlayer(database, environment, "p1", "They asked");
  await run("players", "playerId,firstSeenAt\np1,2024-01-01T00:00:00Z\np2,2024-01-01T00:00:00Z\n");
  expect(await repeatErasures(database, environment, await listErasures(database, environment))).toEqual({ read: 1, erased: 0 });
  const [p2] = await sql<{ at: string }[]>`
    select created_at::text as at from players where environment_id = ${environment.id} and external_id = 'p2'`;
  expect(p2?.at).toMatch(/^2024-01-01/);
  // On a Sandbox whose clock a restored backup has set back, a repeated erasure is in the future.
  await sql`update erasures set erased_at = now() + interval '1 day' where environment_id = ${environment.id}`;
  await run("players", "playerId,displayName\np1,Ann\n");
  const [p1] = await sql<{ name: string }[]>`
    select display_name as name from players where environment_id = ${environment.id} and external_id = 'p1'`;
  expect(p1?.name).toBe("Ann");
});

test("a repeated erasure deletes the waiting lines about a player whom the restored backup does not know otherwise", async () => {
  const id = await check("players", "playerId\np1\np2\n");
  const erasure = { ...playerKey(environment.id, "p1"), erasedAt: Date.now() + 60_000 };
  expect(await repeatErasures(database, environment, [JSON.stringify(erasure)])).toEqual({ read: 1, erased: 0 });
  const left = await sql<{ id: string }[]>`select external_id as id from import_lines where import_id = ${id}`;
  expect(left.map((line) => line.id)).toEqual(["p2"]);
});

test("an open import is listed before the finished ones, however many are newer", async () => {
  const id = await check("events", orders(1, 1));
  await sql`
    insert into imports (id, environment_id, kind, format, file_name, status, created_by, created_at)
    select gen_random_uuid(), environment_id, kind, format, file_name, 'Cancelled', created_by, now() + n * interval '1 second'
    from imports, generate_series(1, 50) n where id = ${id}`;
  expect((await listImports(sql, environment.id, 20))[0]).toMatchObject({ id, status: "Ready" });
});

test("an import of an archived project waits", async () => {
  const id = await check("players", "playerId\np1\n");
  await startImport(database, environment, id, QUIETLY, COMMAND_LINE);
  await sql`update projects set archived_at = now() where id = ${environment.projectId}`;
  await steps();
  expect(await shown(id)).toMatchObject({ status: "Running", applied: 0 });
  expect(await count("players")).toBe(0);
});

test("a failing step does not touch an import that was cancelled meanwhile", async () => {
  const id = await check("players", "playerId\np1\n");
  await startImport(database, environment, id, QUIETLY, COMMAND_LINE);
  const due = (await takeDue(sql))!;
  await cancelImport(database, environment, id, COMMAND_LINE);
  await sql.begin((tx) => failImport(tx, due, "Broken"));
  expect(await shown(id)).toMatchObject({ status: "Cancelled", problem: null });
});

test("a file without the required columns fails with a message, and leaves nothing", async () => {
  const id = await check("events", "player,when\np1,now\n");
  expect(await shown(id)).toMatchObject({ status: "Failed", problem: expect.stringContaining("It has no playerId and no event") });
  expect(await count("import_pieces")).toBe(0);
});

test.each([
  ["points", "Player ID,player_id,points\np1,p2,3\n", "The columns Player ID and player_id have the same meaning."],
  ["events", "playerId,event,occurredAt,amount,properties.amount\n", "The columns amount and properties.amount have the same meaning."],
] as const)("a file of %s with two columns for one field fails with a message", async (kind, text, words) => {
  const id = await check(kind, text, { reason: "history" });
  expect(await shown(id)).toMatchObject({ status: "Failed", problem: expect.stringContaining(words) });
});

test("an upload that is a day old is deleted with the piece that arrives at the same moment; younger ones stay", async () => {
  const begun = { kind: "players", format: "csv", fileName: "players.csv", reason: null } as const;
  const [old, young] = [
    await createImport(database, environment, begun, COMMAND_LINE),
    await createImport(database, environment, begun, COMMAND_LINE),
  ];
  await sql`update imports set created_at = now() - case when id = ${old} then interval '25 hours' else interval '23 hours' end
    where environment_id = ${environment.id}`;
  await addPiece(database, environment, young, { number: 0, text: "playerId\n", isLast: false });
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`select from imports where id = ${old} for no key update`;
  await holder`insert into import_pieces (import_id, number, environment_id, text) values (${old}, 0, ${environment.id}, 'playerId')`;
  const deleted = deleteOldImports(sql);
  await until(async () => (await sql`select from pg_locks where not granted and locktype = 'transactionid'`).length > 0);
  await holder`commit`;
  holder.release();
  await deleted;
  expect((await listImports(sql, environment.id, 20)).map(({ id }) => id)).toEqual([young]);
  expect(await sql`select import_id as id from import_pieces where environment_id = ${environment.id}`).toEqual([{ id: young }]);
});

test("refused lines are deleted a month after their import, however many there are", async () => {
  const [old, young] = [await check("players", "playerId\n\np1\n"), await check("players", "playerId\n\np2\n")];
  await cancelImport(database, environment, old, COMMAND_LINE);
  await cancelImport(database, environment, young, COMMAND_LINE);
  await sql`
    insert into import_lines (import_id, line, environment_id, external_id, occurred_at, fingerprint, ordinal, item, problems)
    select i.id, n, ${environment.id}, '', now(), gen_random_uuid(), 0, '{}', '{No}'
    from imports i cross join generate_series(10, 10 + 10000) n
    where i.id = ${old} or i.id = ${young} and n < 20`;
  await sql`update imports set finished_at = now() - case when id = ${old} then interval '31 days' else interval '29 days' end
    where environment_id = ${environment.id}`;
  await deleteOldImports(sql);
  expect(
    await sql`select import_id as id, count(*)::int as count from import_lines where environment_id = ${environment.id} group by 1`,
  ).toEqual([{ id: young, count: 10 }]);
});

test("an environment has at most five open imports, however many start concurrently", async () => {
  const begun = { kind: "points", format: "csv", fileName: "points.csv", reason: "history" } as const;
  const made = await Promise.allSettled(Array.from({ length: 26 }, () => createImport(database, environment, begun, COMMAND_LINE)));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect((await listImports(sql, environment.id, 50)).length).toBe(5);
  await expect(createImport(database, environment, begun, COMMAND_LINE)).rejects.toThrow("5 imports of this environment are open");
});
