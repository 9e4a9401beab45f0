import { expect, test } from "vitest";
import { testDatabase } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { environmentNow } from "../../engine/environment.ts";
import { testShop } from "../testing.ts";

const database = await testDatabase();
const { sql } = database;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const shop = () => testShop(database);

test("the Sandbox clock moves an hour, a day, a week and to an instant, and the log has the target and the user", async () => {
  const { slug, scope, sandbox, rpc, email } = await shop();
  const offset = async () => (await sandbox()).clockOffsetMs;
  await rpc.work.moveClock({ ...scope, by: "PT1H" });
  expect(await offset()).toBe(HOUR);
  await rpc.work.moveClock({ ...scope, by: "P1D" });
  await rpc.work.moveClock({ ...scope, by: "P1W" });
  expect(await offset()).toBe(HOUR + 8 * DAY);
  const to = formatInstant((await environmentNow(sql, await sandbox())) + 30 * DAY);
  expect(await rpc.work.moveClock({ ...scope, to })).toEqual({ now: to });
  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "clock" });
  expect(entries).toHaveLength(4);
  expect(entries[0]).toMatchObject({ actor: email, action: "advance", changes: [{ path: "time", after: `"${to}"` }] });
});

test("a clock moves neither back nor more than a year at a time, and Live's not at all", async () => {
  const { slug, scope, sandbox, rpc } = await shop();
  const now = await environmentNow(sql, await sandbox());
  await expect(rpc.work.moveClock({ ...scope, to: formatInstant(now - HOUR) })).rejects.toThrow("only be moved forward");
  await expect(rpc.work.moveClock({ ...scope, to: formatInstant(now + 400 * DAY) })).rejects.toThrow("at most a year");
  await expect(rpc.work.moveClock({ ...scope, to: "tomorrow" })).rejects.toThrow("Not a valid time");
  await expect(rpc.work.moveClock({ ...scope, environment: "live", by: "PT1H" })).rejects.toThrow("Live runs on real time");
  const viewer = await signedIn(database, slug, "Viewer");
  await expect(viewer.rpc.work.moveClock({ ...scope, by: "PT1H" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect((await sandbox()).clockOffsetMs).toBe(0);
  expect((await rpc.auditLog.list({ project: slug, subjectKind: "clock" })).entries).toEqual([]);
});

test("a Sandbox is reset by an Admin who types its project's slug; Live never is", async () => {
  const { slug, scope, send, rpc } = await shop();
  await send("ann", "bob");
  await expect(rpc.work.reset({ ...scope, confirmation: slug })).rejects.toMatchObject({ code: "FORBIDDEN" });
  const admin = await signedIn(database, slug, "Admin");
  await expect(admin.rpc.work.reset({ ...scope, confirmation: "yes" })).rejects.toThrow(slug);
  await expect(admin.rpc.work.reset({ ...scope, environment: "live", confirmation: slug })).rejects.toThrow("Only a Sandbox");
  expect(await admin.rpc.work.reset({ ...scope, confirmation: slug })).toEqual({ players: 2 });
  const { entries } = await rpc.auditLog.list({ project: slug, action: "reset" });
  expect(entries).toMatchObject([{ actor: admin.email, environment: "sandbox", changes: [{ path: "players", before: "2" }] }]);
});
