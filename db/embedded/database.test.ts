import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../client.ts";
import { useEmbeddedDatabase } from "./database.ts";
import { isServerOf } from "./server.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "engagement-embedded-")));
const data = join(directory, "postgres/data");
const noteOfServer = join(data, "postmaster.pid");
const serverPid = () => Number(readFileSync(noteOfServer, "utf8").split("\n")[0]);
const users: ChildProcess[] = [];

/** Starts another process that uses the database; resolves when it is registered. */
async function startUser(): Promise<ChildProcess> {
  const module = JSON.stringify(new URL("./database.ts", import.meta.url).href);
  const program = `
    import { useEmbeddedDatabase } from ${module};
    const database = await useEmbeddedDatabase({ directory: ${JSON.stringify(directory)} });
    process.on("SIGTERM", () => database.leave().then(() => process.exit(0)));
    console.log(database.url);
    setInterval(() => {}, 1000);`;
  const user = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  users.push(user);
  await once(user.stdout, "data");
  return user;
}

async function end(user: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(user, "exit");
  user.kill(signal);
  await exited;
}

async function rows(url: string): Promise<number[]> {
  const sql = postgres(url, { max: 1 });
  try {
    return (await sql<{ n: number }[]>`select n from written order by n`).map(({ n }) => n);
  } finally {
    await sql.end();
  }
}

async function write(url: string, n: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`create table if not exists written (n int)`;
  await sql`insert into written values (${n})`;
  await sql.end();
}

/** Commits the row that every test finds. */
beforeAll(async () => {
  const database = await useEmbeddedDatabase({ directory });
  await write(database.url, 1);
  await database.leave();
});

afterEach(async () => {
  for (const user of users.splice(0)) if (user.exitCode === null && user.signalCode === null) await end(user, "SIGTERM");
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("the password is readable by its owner alone, and the last user stops the server", () => {
  expect(statSync(join(directory, "postgres")).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "postgres/password")).mode & 0o777).toBe(0o600);
  expect(() => serverPid()).toThrow();
});

test("of two processes that start together one starts the server, and the last to leave stops it", async () => {
  const [first, second] = await Promise.all([startUser(), startUser()]);
  const pid = serverPid();
  await end(first, "SIGTERM");
  expect(isServerOf(data, pid)).toBe(true);
  await end(second, "SIGTERM");
  expect(isServerOf(data, pid)).toBe(false);
});

test("a server that outlives its user is found again", async () => {
  await end(await startUser(), "SIGKILL");
  const pid = serverPid();
  const database = await useEmbeddedDatabase({ directory });
  expect(serverPid()).toBe(pid);
  expect(await rows(database.url)).toContain(1);
  await database.leave();
  expect(isServerOf(data, pid)).toBe(false);
});

test.runIf(process.platform === "linux")(
  "the service reaches its server over a Unix socket, also after a killed one was replaced",
  async () => {
    const database = await useEmbeddedDatabase({ directory });
    const { sql, close } = openDatabase(database.nearUrl, { connections: 1 });
    const server = async () => (await sql`select inet_server_addr() as address, pg_postmaster_start_time() as started`)[0]!;
    const before = await server();
    expect(before["address"]).toBeNull();
    process.kill(serverPid(), "SIGKILL");
    let after = before;
    while (after["started"] === before["started"]) after = await server().catch(() => sleep(50, before));
    expect(after["address"]).toBeNull();
    await close();
    await database.leave();
  },
);

test("a server killed under its users restarts at the same address, with all acknowledged writes", async () => {
  const told: string[] = [];
  const database = await useEmbeddedDatabase({ directory, onChange: (message) => told.push(message) });
  await startUser();
  await write(database.url, 2);
  const killed = serverPid();
  process.kill(killed, "SIGKILL");
  while (!(await rows(database.url).catch(() => []))[0]) await sleep(50);
  expect(await rows(database.url)).toEqual([1, 2]);
  expect(serverPid()).not.toBe(killed);
  expect(told).toHaveLength(1);
  await database.leave();
});

test("after server and user were killed together the next start has all committed rows", async () => {
  const user = await startUser();
  process.kill(serverPid(), "SIGKILL");
  await end(user, "SIGKILL");
  const database = await useEmbeddedDatabase({ directory });
  expect(await rows(database.url)).toContain(1);
  await database.leave();
});

test("a killed server whose process id was reused is not mistaken for a live one", async () => {
  const user = await startUser();
  const killed = serverPid();
  const note = readFileSync(noteOfServer, "utf8");
  await end(user, "SIGKILL");
  process.kill(killed, "SIGKILL");
  writeFileSync(noteOfServer, note.replace(String(killed), String(process.pid)));
  const database = await useEmbeddedDatabase({ directory });
  expect(serverPid()).not.toBe(process.pid);
  expect(await rows(database.url)).toContain(1);
  await database.leave();
});
