import { spawn } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl, testProject } from "../../db/testing.ts";
import { createApiKey } from "../people/api-keys/api-keys.ts";
import { authenticate, keyHash } from "../people/api-keys/authenticate.ts";
import { findTokenHolder } from "../people/tokens/tokens.ts";
import { savePlayer } from "../game/players/service/players.ts";
import { erasePlayer } from "../operations/privacy/erase.ts";
import { run } from "../process/cli.ts";
import { capturePrinted } from "./testing.ts";

const database = await testDatabase();
const DATABASE_URL = await testDatabaseUrl();
vi.stubEnv("BASE_URL", "");
vi.stubEnv("DATABASE_URL", DATABASE_URL);

const taken = capturePrinted();

async function cli(...args: string[]) {
  const code = await run(args);
  return { code, ...taken() };
}

const create = (slug: string, ...more: string[]) =>
  cli("project", "create", "--slug", slug, "--name", slug, "--language", "en", "--time-zone", "Europe/Amsterdam", ...more);

test("project, key, revocation: data to standard output, messages to standard error", async () => {
  expect(await cli("api-key", "create", "--environment", "sandbox", "--name", "ci")).toMatchObject({ code: 1, out: [] });
  expect(await create("acme")).toMatchObject({ code: 0, out: [], err: [expect.stringContaining("acme")] });
  const created = await cli("api-key", "create", "--environment", "sandbox", "--name", "ci");
  expect(created).toMatchObject({ code: 0, out: [expect.stringMatching(/^svc_sbox_[0-9a-f]{64}$/)] });
  const header = `Bearer ${created.out[0]}`;
  expect((await authenticate(database.sql, keyHash(header))).environment.projectSlug).toBe("acme");
  expect(await cli("api-key", "revoke", "--project", "acme", "--environment", "sandbox", "--name", "ci")).toMatchObject({
    code: 0,
    out: [],
  });
  await expect(authenticate(database.sql, keyHash(header))).rejects.toMatchObject({ code: "auth.api_key_invalid" });
  expect(await cli("api-key", "revoke", "--project", "acme", "--environment", "sandbox", "--name", "ci")).toEqual({
    code: 1,
    out: [],
    err: ['There is no key named "ci" in force; the environment has no keys.'],
  });
  const log = await database.sql`select actor, action from audit_log where subject_kind = 'apiKey' order by id`;
  expect(log).toEqual([
    { actor: "command line", action: "create" },
    { actor: "command line", action: "revoke" },
  ]);
});

test("beside the database an archived project can still be changed, and a Sandbox clock moves by more than a year", async () => {
  const { slug } = await testProject(database);
  expect(await cli("project", "archive", "--slug", slug)).toMatchObject({ code: 0 });
  expect((await cli("clock", "advance", "--project", slug, "--environment", "sandbox", "--by", "P2Y")).code).toBe(0);
});

test("with two projects, one has to be named; the demo does not count beside another", async () => {
  await create("demo");
  expect((await cli("audit", "--environment", "sandbox")).code).toBe(0);
  await create("second");
  const refused = await cli("audit", "--environment", "sandbox");
  expect(refused).toEqual({ code: 1, out: [], err: [expect.stringContaining("acme, second")] });
  expect((await cli("audit", "--environment", "sandbox", "--project", "second")).code).toBe(0);
});

test("revoking a name revokes every key of that name in that environment alone", async () => {
  const { slug, sandbox, live } = await testProject(database);
  const keys = [await createApiKey(database, sandbox, "ci"), await createApiKey(database, sandbox, "ci")];
  const other = await createApiKey(database, live, "ci");
  const revoked = await cli("api-key", "revoke", "--project", slug, "--environment", "sandbox", "--name", "ci");
  expect(revoked).toEqual({ code: 0, out: [], err: ['2 API keys "ci" are revoked.'] });
  const opened = (key: string) => authenticate(database.sql, keyHash(`Bearer ${key}`));
  for (const key of keys) await expect(opened(key)).rejects.toMatchObject({ code: "auth.api_key_invalid" });
  expect((await opened(other)).environment.id).toBe(live.id);
});

test("a failure exits 1 with a line for each problem", async () => {
  const refused = await cli("project", "create", "--slug", "9", "--name", "", "--language", "x!", "--time-zone", "Mars");
  expect([refused.code, refused.out, refused.err.length]).toEqual([1, [], 4]);
  expect(await cli("project", "archive", "--slug", "nothing")).toEqual({ code: 1, out: [], err: ['There is no project "nothing".'] });
  expect(await cli("audit", "--environment", "test")).toMatchObject({ code: 1, err: [expect.stringContaining("sandbox or live")] });
  expect(await cli("project", "create", "--slug", "x")).toMatchObject({ code: 1, out: [], err: [expect.stringContaining("--name")] });
  expect(await cli("definitions")).toMatchObject({ code: 1, out: [] });
  expect(await cli("definitions", "--help")).toMatchObject({ code: 0, err: [] });
});

test("the erasures are printed as lines, as one JSON array, or as a message if there are none; both files are repeated", async () => {
  const { slug, sandbox } = await testProject(database);
  const where = ["--project", slug, "--environment", "sandbox"];
  const printed = (...more: string[]) => cli("player", "erasures", ...where, ...more);
  expect(await printed()).toEqual({ code: 0, out: [], err: ["There are no erasures."] });
  expect(await printed("--json")).toEqual({ code: 0, out: ["[]"], err: [] });
  await savePlayer(database, sandbox, Date.now(), "ann", {});
  await erasePlayer(database, sandbox, "ann", "She asked");
  const lines = await printed();
  expect(JSON.parse(lines.out[0]!)).toMatchObject({ playerId: expect.any(String) });
  const array = await printed("--json");
  expect(JSON.parse(array.out.join("\n"))).toEqual(lines.out.map((line): unknown => JSON.parse(line)));
  const folder = await mkdtemp(join(tmpdir(), "erasures-"));
  for (const { out } of [lines, array]) {
    const file = join(folder, "erasures");
    await writeFile(file, out.join("\n"));
    const repeated = await cli("player", "repeat-erasures", ...where, "--file", file);
    expect(repeated).toEqual({ code: 0, out: [], err: ["1 erasure read: no player was back."] });
  }
});

test("a login and a logout do not list the token, which they do not use", async () => {
  for (const command of ["login", "logout"]) expect((await cli(command, "--help")).out.join("\n")).not.toContain("--token");
  expect((await cli("whoami", "--help")).out.join("\n")).toContain("--token");
});

test("the number of lanes is printed, set, and refused with a message if it is invalid", async () => {
  expect(await cli("scale", "lanes")).toEqual({ code: 0, out: ["4"], err: [] });
  expect(await cli("scale", "lanes", "16")).toEqual({ code: 0, out: ["16"], err: [] });
  expect(await cli("scale", "lanes", "3")).toEqual({ code: 1, out: [], err: [expect.stringContaining("1, 2, 4, 8, 16, 32, 64")] });
  expect((await cli("scale", "lanes")).out).toEqual(["16"]);
});

test("creating a person prints only their password", async () => {
  const { slug } = await testProject(database);
  const created = await cli("user", "create", "--email", "ann@example.com", "--role", "Admin", "--project", slug);
  expect(created).toMatchObject({ code: 0, out: [expect.stringMatching(/^[\w-]{20}$/)] });
  expect((await cli("user", "create", "--email", "bob@example.com", "--role", "King")).code).toBe(1);
});

test("a token is created for a member, bounded by their role, listed without its secret, and revoked", async () => {
  const { slug } = await testProject(database);
  await cli("user", "create", "--email", "carol@example.com", "--role", "Editor", "--project", slug);
  const token = (command: string, ...more: string[]) => cli("token", command, "--project", slug, ...more);
  const create = (role: string, ...more: string[]) =>
    token("create", "--email", "Carol@example.com", "--name", "ci", "--role", role, ...more);
  expect(await create("Admin")).toMatchObject({ code: 1, out: [], err: [expect.stringContaining("whose role is Editor")] });
  expect(await create("Editor", "--days", "soon")).toMatchObject({ code: 1, err: ["A token lasts 1 to 366 days."] });
  expect(await create("Editor", "--environment", "live!")).toMatchObject({ code: 1, out: [] });
  const created = await create("Editor", "--environment", "sandbox");
  expect(created).toMatchObject({ code: 0, out: [expect.stringMatching(/^svc_pat_[0-9a-f]{64}$/)] });
  const header = `Bearer ${created.out[0]}`;
  const bounds = { name: "ci", role: "Editor", projectSlug: slug, environment: "sandbox" };
  expect(await findTokenHolder(database, header)).toMatchObject({ person: { email: "carol@example.com" }, token: bounds });
  const { out } = await token("list");
  expect(out).toEqual([expect.stringMatching(/\tuntil .*\tci\tcarol@example.com\tEditor\tsandbox\t/)]);
  const [id] = out[0]!.split("\t");
  expect(await token("revoke", "--id", "nonsense")).toMatchObject({ code: 1, err: [expect.stringContaining("no such token")] });
  expect(await token("revoke", "--id", id!)).toMatchObject({ code: 0, out: [], err: ['The token "ci" is revoked.'] });
  expect(await findTokenHolder(database, header)).toHaveProperty("refusal");
  expect((await cli("token", "create", "--project", slug, "--email", "nobody@example.com", "--name", "x", "--role", "Viewer")).code).toBe(
    1,
  );
});

test("the clock moves forward in the project's zone, over daylight saving, and the new time is printed", async () => {
  const { slug, sandbox, sandboxKey } = await testProject(database, { timeZone: "Europe/Amsterdam" });
  const advance = (by: string, environment = "sandbox") =>
    cli("clock", "advance", "--project", slug, "--environment", environment, "--by", by);
  const before = (await authenticate(database.sql, keyHash(`Bearer ${sandboxKey}`))).now;
  const [printed] = (await advance("P6M")).out;
  const local = (instant: number) =>
    new Intl.DateTimeFormat("en", { timeZone: "Europe/Amsterdam", hour: "2-digit", hour12: false }).format(instant);
  const shown = Date.parse(printed!);
  expect(local(shown - ((shown - before) % 3_600_000))).toBe(local(before));
  const [row] = await database.sql`select clock_offset_ms > ${180 * 86_400_000} as moved from environments where id = ${sandbox.id}`;
  expect(row!.moved).toBe(true);
  for (const wrong of ["-P1D", "PT0S", "tomorrow", "P9999Y"]) expect((await advance(wrong)).code, wrong).toBe(1);
  expect((await advance("P1D", "live")).code).toBe(1);
});

test("environment reset empties a Sandbox, prints only messages, and refuses Live", async () => {
  const { slug, sandbox } = await testProject(database);
  const reset = (environment: string) => cli("environment", "reset", "--project", slug, "--environment", environment);
  for (const name of ["ann", "bob"]) await savePlayer(database, sandbox, Date.now(), name, {});
  expect(await reset("sandbox")).toEqual({ code: 0, out: [], err: [expect.stringContaining("2 players deleted")] });
  expect(await reset("sandbox")).toEqual({ code: 0, out: [], err: [expect.stringContaining("no players")] });
  expect(await reset("live")).toEqual({ code: 1, out: [], err: ["Only a Sandbox can be reset; what is in Live stays."] });
  expect((await cli("environment", "reset", "--project", slug)).code).toBe(1);
});

test("as a program: its output is only data, and its exit code reports failure", async () => {
  const program = async (...args: string[]) => {
    const main = new URL("../process/cli.ts", import.meta.url).pathname;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL } as unknown as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "ignore"] });
    const exit = new Promise((resolve) => child.once("exit", resolve));
    return { out: await text(child.stdout), code: await exit };
  };
  const { slug } = await testProject(database);
  const audit = ["audit", "--project", slug, "--environment"];
  expect(await program("api-key", "create", "--project", slug, "--environment", "live", "--name", "ci")).toEqual({
    code: 0,
    out: expect.stringMatching(/^svc_live_[0-9a-f]{64}\n$/),
  });
  expect(await program(...audit, "nowhere")).toEqual({ code: 1, out: "" });
});
