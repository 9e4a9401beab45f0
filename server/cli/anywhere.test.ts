import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, testProject } from "../../db/testing.ts";
import { serveRpc, testDashboard } from "../api/testing/dashboard.ts";
import { signedIn } from "../api/testing/signed-in.ts";
import { until } from "../../db/testing/work.ts";
import { listImages } from "../authoring/images/service.ts";
import { png } from "../authoring/images/testing.ts";
import { startReceiver } from "../delivery/testing.ts";
import { type Image, imageOf } from "../model/images/image.ts";
import { run } from "../process/cli.ts";
import { readLogins, withLogin, writeLogins } from "./connection.ts";

/** `engagement`, in this process or as a program in a folder of its own, with only the address of a service and a token. */
vi.setConfig({ testTimeout: 90_000 });
const database = await testDatabase();
const { dashboard } = testDashboard(database, { baseUrl: "http://points.test" });
/** The addresses whose first call was answered with 429; null: none is. */
let refused: Set<string> | null = null;
const { server, url } = await serveRpc(dashboard, (request, response) => {
  const address = request.url!;
  if (refused === null || refused.has(address)) return;
  refused.add(address);
  response.writeHead(429, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ json: { defined: false, code: "TOO_MANY_REQUESTS", status: 429, message: "Other calls are under way." } }));
  return true;
});

const folder = mkdtempSync(join(tmpdir(), "engagement-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MAIN = fileURLToPath(new URL("../../bin/engagement.mjs", import.meta.url));

interface Started {
  env?: Record<string, string>;
  /** Node options. */
  options?: string[];
  main?: string;
}

const start = (args: string[], { env = {}, options = [], main = MAIN }: Started = {}) =>
  spawn(process.execPath, [...options, main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: join(folder, "config"), ...env } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });

async function engagement(args: string[], started: Started = {}) {
  const child = start(args, started);
  const [out, words, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number, out, words };
}

const { slug, sandbox } = await testProject(database);
const owner = await signedIn(database, slug, "Owner");
const token = await tokenOf("Admin");

async function tokenOf(role: "Admin" | "Viewer"): Promise<string> {
  const made = await owner.rpc.tokens.create({ project: slug, name: "ci", role, environment: "sandbox", days: 1 });
  if (!("token" in made)) throw new Error(JSON.stringify(made));
  return made.token;
}

const printed = { out: [] as string[], words: [] as string[] };
vi.spyOn(console, "log").mockImplementation((line: string) => void printed.out.push(line));
vi.spyOn(console, "error").mockImplementation((line: string) => void printed.words.push(line));
afterAll(() => vi.restoreAllMocks());

/** Runs a command in this process, which saves starting a program. */
async function here(args: string[], credentials = token) {
  return inProcess(["--url", url, "--token", credentials, ...args]);
}

async function inProcess(args: string[], options = {}) {
  const code = await run(args, options);
  return { code, out: printed.out.splice(0).join("\n"), words: printed.words.splice(0).join("\n") };
}

const asCi = { env: { ENGAGEMENT_URL: url, ENGAGEMENT_TOKEN: token } };

test("a person logs in by approving a code, sees who they are, and logs out, which ends the token", async () => {
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "config"));
  const asPerson = (...args: string[]) => inProcess(args, { isAnywhere: true });
  const loggingIn = asPerson("login", "--url", `${url}/`, "--name", "laptop");
  const request = () => /request=([0-9a-f]{64})([0-9a-f]{4})&name=laptop\s/.exec(printed.words.join("\n"));
  await until(() => request() !== null);
  const [, hash = "", lastFour = ""] = request()!;
  const bounds = { name: "laptop", role: "Editor" as const, environment: "sandbox" as const, days: 1 };
  await owner.rpc.tokens.approve({ project: slug, ...bounds, hash, lastFour });
  const loggedIn = await loggingIn;
  expect(loggedIn).toMatchObject({ code: 0, out: "", words: expect.stringMatching(/Code: [A-Z]{4}-[A-Z]{4}\n/) });
  expect(loggedIn.words).toContain(`Logged in to ${url} as ${owner.email}: project ${slug}, sandbox, Editor, until `);
  expect(statSync(join(folder, "config", "engagement", "credentials.json")).mode & 0o777).toBe(0o600);
  const who = await asPerson("whoami", "--json");
  expect(JSON.parse(who.out)).toMatchObject({
    url,
    email: owner.email,
    name: "laptop",
    project: slug,
    environment: "sandbox",
    role: "Editor",
  });
  expect(await asPerson("logout")).toMatchObject({ code: 0, words: `Logged out of ${url}.` });
  expect(await asPerson("whoami")).toMatchObject({ code: 1, out: "", words: expect.stringContaining("log in with") });
  vi.unstubAllEnvs();
  const { tokens } = await owner.rpc.tokens.list({ project: slug });
  expect(tokens.find(({ name }) => name === "laptop")).toMatchObject({ state: "Revoked" });
});

test("a login to a service that is gone can be ended; its token is said to be still valid", async () => {
  vi.stubEnv("XDG_CONFIG_HOME", join(folder, "gone"));
  writeLogins(withLogin(readLogins(), "http://127.0.0.1:9", { token, email: "ann@example.com", project: slug }));
  const { code, words } = await inProcess(["logout"], { isAnywhere: true });
  expect([code, words]).toEqual([1, expect.stringMatching(/Its token may still be valid.*\n.*cannot be reached/)]);
  expect(readLogins()).toEqual({ current: null, logins: {} });
  vi.unstubAllEnvs();
});

test("without a service it creates no database in the current folder", async () => {
  const { code, words } = await engagement(["audit", "--environment", "sandbox"]);
  expect([code, words]).toEqual([1, expect.stringContaining("Say which service")]);
  expect(statSync(join(folder, ".data"), { throwIfNoEntry: false })).toBeUndefined();
});

test("serve starts nothing without --ephemeral, nor with a token or a key that no service would accept", async () => {
  expect(await here(["serve"])).toMatchObject({ code: 1, words: expect.stringContaining("Add --ephemeral") });
  vi.stubEnv("ENGAGEMENT_TOKEN", "svc_pat_1").stubEnv("ENGAGEMENT_KEY", `svc_live_${"0".repeat(64)}`);
  const { code, words } = await here(["serve", "--ephemeral", "--port", "1"]);
  vi.unstubAllEnvs();
  expect([code, words]).toEqual([1, expect.stringMatching(/^ENGAGEMENT_TOKEN must .*\nENGAGEMENT_KEY must be svc_sbox_/)]);
});

test("a command whose output does not fit into its file fails", async () => {
  // The shell counts in blocks of 512 or 1,024 bytes. The script is longer than two.
  const child = spawn("sh", ["-c", 'ulimit -f 1; exec "$0" "$1" completion bash > script', process.execPath, MAIN], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [words, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([code, words]).toEqual([1, expect.stringContaining("The output cannot be written: ")]);
});

test("below node_modules, where Node strips no types and install scripts may not have run, it runs as well, with the patched driver", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const own = join(folder, "node_modules/engagement-service");
  const modules = join(own, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(root)) if (name !== "node_modules") symlinkSync(join(root, name), join(own, name));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "postgres") symlinkSync(join(root, "node_modules", name), join(modules, name));
  cpSync(join(root, "node_modules/postgres"), join(modules, "postgres"), { recursive: true });
  const file = join(modules, "postgres/src/queue.js");
  const patched = readFileSync(file, "utf8");
  const lines = patched.split("\n");
  writeFileSync(file, lines.filter((line) => !line.includes("pop: ")).join("\n"));
  const main = join(own, "bin/engagement.mjs");
  const { code, words } = await engagement(["whoami"], { main, options: ["--preserve-symlinks", "--preserve-symlinks-main"], ...asCi });
  expect([code, words]).toEqual([0, ""]);
  expect(readFileSync(file, "utf8")).toBe(patched);
});

test("definitions as code: plan exits 2 on a difference, apply removes it at the same service however its address is written, pull writes a folder that changes nothing", async () => {
  const file = join(folder, "acme.json");
  const reward = (points: number) => [{ kind: "Points", points }];
  const objectives = [{ event: "done", operator: "GreaterThanOrEqualTo", target: 1 }];
  const written = (points: number) => {
    const mission = { key: "m", name: "M", objectives, rewards: reward(points) };
    writeFileSync(file, JSON.stringify({ $schema: "x", version: 1, events: [{ key: "done", name: "Done" }], missions: [mission] }));
  };
  const definitions = (...args: string[]) => here(["definitions", ...args]);
  const pulled = join(folder, "pulled");
  written(1);
  expect(await definitions("validate", file)).toMatchObject({ code: 0, out: "" });
  expect(await engagement(["definitions", "plan", file], asCi)).toEqual({
    code: 2,
    out: "+ events done\n+ missions m\n",
    words: "Plan: 2 to add, 0 to change, 0 to switch off.\n",
  });
  const plan = join(folder, "acme-plan.json");
  expect((await definitions("plan", file, "--out", plan)).code).toBe(2);
  expect(await definitions("apply", plan, "--url", `${url}/`)).toMatchObject({ code: 0, out: "+ events done\n+ missions m" });
  written(2);
  expect(await definitions("plan", file)).toMatchObject({ code: 2, out: "~ missions m\n    rewards/0: 1 point → 2 points" });
  expect(JSON.parse((await definitions("plan", file, "--json")).out)).toMatchObject({
    changes: [{ sign: "~", kind: "missions", key: "m", differences: [{ path: ["rewards", "0", "points"], before: "1", after: "2" }] }],
  });
  expect((await definitions("pull", pulled)).code).toBe(0);
  const ofMission = join(pulled, "missions", "m.json");
  expect(JSON.parse(readFileSync(ofMission, "utf8"))).toMatchObject({ version: 1, missions: [{ key: "m" }] });
  expect(await definitions("plan", pulled)).toMatchObject({ code: 0, out: "" });

  writeFileSync(ofMission, JSON.stringify({ version: 1, missions: [{ key: "m", name: "M", objectives: 1 }] }));
  const refused = await definitions("validate", pulled);
  expect([refused.code, refused.words]).toEqual([
    1,
    expect.stringMatching(/^missions\/m\.json: \/missions\/0\/objectives: must be a list$/m),
  ]);
});

test("a call that is refused with 429 is sent again, and so is a download", async () => {
  refused = new Set();
  expect(await here(["webhook", "create", "--url", "http://127.0.0.1:1/busy", "--events", "mission.completed"])).toMatchObject({ code: 0 });
  expect(await here(["definitions", "export"])).toMatchObject({ code: 0, words: "" });
  expect([...refused].map((address) => address.split("?")[0])).toEqual([
    "/rpc/tokens/current",
    "/rpc/webhooks/create",
    "/rpc/exports/definitions.json",
  ]);
  refused = null;
});

test("images that are too large together for one call are planned, and applied one by one, from a folder and from a plan", async () => {
  const files = join(folder, "drawn");
  mkdirSync(join(files, "images"), { recursive: true });
  // Pictures: each step below checks them all, and checking a drawing of this size takes much longer.
  const images = [1, 2, 3, 4].map((side) => imageOf(png(side, side, 1_000_000)) as Image);
  for (const { id, bytes } of images) writeFileSync(join(files, "images", `${id}.png`), bytes);
  const catalogItems = images.map(({ id }, at) => ({ key: `drawn_${at}`, name: "D", valueType: "Number", images: { icon: id } }));
  writeFileSync(join(files, "items.json"), JSON.stringify({ version: 1, catalogItems }));
  const plan = join(folder, "drawn-plan.json");
  const added = catalogItems.map(({ key }) => `+ catalogItems ${key}`).join("\n");
  const planned = await here(["definitions", "plan", files, "--out", plan], await tokenOf("Viewer"));
  expect(planned).toMatchObject({ code: 2, out: added });
  expect(await listImages(database, sandbox), "a plan writes nothing").toEqual([]);
  await database.sql`
    insert into images (id, project_id, type, bytes)
    select 'held ' || at, ${sandbox.projectId}, 'image/png', convert_to(repeat('x', 1024 * 1024), 'UTF8') from generate_series(1, 197) at`;
  expect(await here(["definitions", "plan", files]), "there is room for each of them, and not for all").toMatchObject({
    code: 1,
    words: expect.stringContaining("to 200.9 MiB"),
  });
  await database.sql`delete from images where project_id = ${sandbox.projectId}`;
  const spoilt = join(files, "images", `${images[3]!.id}.png`);
  writeFileSync(spoilt, images[0]!.bytes);
  expect(await here(["definitions", "apply", files])).toMatchObject({ code: 1, words: expect.stringMatching(/^\/images\/3\/id: /) });
  writeFileSync(spoilt, images[3]!.bytes);
  expect(await here(["definitions", "apply", plan])).toMatchObject({ code: 0, out: added });
  expect(await here(["definitions", "plan", files])).toMatchObject({ code: 0, out: "" });
  const whole = join(folder, "drawn-whole.json");
  writeFileSync(whole, (await here(["definitions", "export", "--images"])).out);
  const { slug: other } = await testProject(database);
  const { rpc } = await signedIn(database, other, "Owner");
  const made = await rpc.tokens.create({ project: other, name: "ci", role: "Editor", environment: "sandbox", days: 1 });
  expect(await here(["definitions", "import", whole], "token" in made ? made.token : "")).toMatchObject({
    code: 0,
    out: expect.stringContaining(added),
  });
});

test("with a token for tests, a shell makes a test project from files, waits, moves its clock and removes it", async () => {
  const made = await owner.rpc.tokens.create({ project: slug, name: "tests", role: "Editor", environment: "tests", days: 1 });
  if (!("token" in made)) throw new Error(JSON.stringify(made));
  const asTests = (...args: string[]) => here(args, made.token);
  expect(await asTests("clock", "advance", "--by", "P1D")).toMatchObject({
    code: 1,
    words: expect.stringContaining("say which one with --project"),
  });
  const files = join(folder, "tests");
  mkdirSync(files);
  writeFileSync(join(files, "a.json"), '{ "version": 1, "events": [{ "key": "done", "name": "Done" }, { "key": "Bad", "name": "" }] }');
  const wrong = await asTests("test", "create", "--definitions", files);
  expect([wrong.code, wrong.words.split("\n").map((line) => line.split(": ", 2).join(": "))]).toEqual([
    1,
    ["a.json: /events/1/key", "a.json: /events/1/name"],
  ]);
  expect(
    await database.sql`select slug from projects where expires_at is not null and archived_at is null`,
    "nothing is left behind",
  ).toEqual([]);
  writeFileSync(join(files, "a.json"), '{ "version": 1, "events": [{ "key": "done", "name": "Done" }] }');
  const created = await asTests("--json", "test", "create", "--definitions", files);
  const { project, key } = JSON.parse(created.out) as { project: string; key: string };
  expect(key).toMatch(/^svc_sbox_/);
  expect((await asTests("definitions", "plan", files, "--project", project)).code, "its Sandbox is meant, and has them").toBe(0);
  expect((await asTests("definitions", "plan", files, "--project", slug)).code, "no other project").toBe(1);
  vi.stubEnv("ENGAGEMENT_PROJECT", project);
  expect((await asTests("test", "settled", "--deliveries")).code).toBe(0);
  vi.unstubAllEnvs();
  expect((await asTests("clock", "advance", "--by", "P1D", "--project", project)).out).toMatch(/^\d{4}-/);
  expect((await asTests("test", "remove", "--project", project)).code).toBe(0);
  expect((await asTests("test", "settled", "--project", project)).code).toBe(1);
  expect((await here(["test", "create"])).words).toContain("a token for tests");
  expect((await here(["definitions", "plan", files, "--environment", "tests"])).words).toContain("--environment must be sandbox or live");
});

test("keys, endpoints and the clock go over the wire, as the token may", async () => {
  expect(await here(["api-key", "create", "--name", "shop"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^svc_sbox_[0-9a-f]{64}$/),
  });
  expect(await here(["api-key", "revoke", "--name", "shop"])).toMatchObject({ code: 0 });
  // The --url of this command is the endpoint's; `here` names the service before the command.
  const created = await here(["webhook", "create", "--url", "http://127.0.0.1:1/hooks", "--events", "mission.completed"]);
  expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^whsec_\S+$/) });
  expect((await here(["webhook", "list"])).out).toMatch(/\tactive\thttp:\/\/127\.0\.0\.1:1\/hooks\tmission\.completed$/);
  expect((await here(["clock", "advance", "--by", "P2DT3H"])).out).toMatch(/^\d{4}-.*Z$/);
  const words = async (args: string[], credentials?: string) => (await here(args, credentials)).words;
  expect(await words(["trigger", "mission.completed", "--about", "misspelt"])).toContain("The Sandbox has no mission misspelt;");
  expect(await words(["clock", "advance", "--by", "soon"])).toContain('"soon" is not an ISO 8601 duration');
  expect(await words(["api-key", "list", "--environment", "live"])).toBe("This token is for the Sandbox alone.");
  expect(await words(["environment", "reset"], await tokenOf("Viewer"))).toContain("This needs the Admin role");
  expect(await words(["audit"])).toContain("only beside the service's database");
  const { port } = await closedPort();
  expect(await words(["whoami", "--url", `http://127.0.0.1:${port}`])).toBe(`http://127.0.0.1:${port} cannot be reached: ECONNREFUSED.`);
});

test.each([
  ["before it answers", ""],
  ["in the middle of its answer", '{"json":{"ema'],
])("of a service that is killed %s it says that the call may have taken effect", async (_, part) => {
  const killed = createServer((request, response) => {
    if (part !== "") response.writeHead(200, { "Content-Type": "application/json", "Content-Length": 100 }).write(part);
    request.resume().once("end", () => setImmediate(() => request.socket.destroy()));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void killed.close());
  await once(killed, "listening");
  const address = `http://127.0.0.1:${(killed.address() as AddressInfo).port}`;
  expect((await here(["whoami", "--url", address])).words).toBe(
    `${address} ended the connection before its answer was complete. The call may have taken effect: look before you repeat it.`,
  );
});

test("an address that answers with a page is no service, also where a file is asked for", async () => {
  const site = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>")).listen(0, "127.0.0.1");
  onTestFinished(() => void site.close());
  await once(site, "listening");
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const command = ["definitions", "export", "--project", "acme", "--environment", "sandbox", "--url", address];
  expect((await here(command)).words).toBe(`${address} answers, but not as an engagement service. Is the address right?`);
});

test("listen posts signed copies to a local receiver, continues after an outage, and after a kill delivers what it missed", async () => {
  const receiver = await startReceiver((_, count) => ({ status: count === 1 ? 200 : 503 }));
  let program: ChildProcess | undefined;
  try {
    const printed = { out: "", words: "" };
    const listen = () => {
      program = start(["listen", "--forward-to", receiver.url, "--events", "mission.completed"], asCi);
      program.stdout!.on("data", (chunk: Buffer) => (printed.out += String(chunk)));
      program.stderr!.on("data", (chunk: Buffer) => (printed.words += String(chunk)));
    };
    const deliveries = (count: number) => until(() => receiver.received.length === count);
    listen();
    /** The program's output comes through a pipe: in pieces, and later than its posts. */
    const secretSaid = async () => {
      await until(() => /whsec_\S+\n/.test(printed.words));
      return /whsec_\S+/.exec(printed.words)![0];
    };
    await secretSaid();
    const { out: secret } = await here(["listen", "--print-secret"]);
    expect(printed.words).toContain(`  ${secret}\n`);
    expect(await here(["trigger", "mission.completed", "--player", "ann", "--about", "m"])).toMatchObject({
      code: 0,
      words: expect.stringMatching(/^mission\.completed goes to \d endpoints? and 1 listening program\.$/),
    });
    await deliveries(1);
    // Repeated: between two calls there is no connection to close.
    await until(() => {
      server.closeAllConnections();
      return printed.words.includes("The connection is lost");
    });
    await here(["trigger", "mission.completed"]);
    await deliveries(2);
    await until(async () => (await database.sql`select from webhook_copies`).length === 0);
    program!.kill("SIGKILL");
    await once(program!, "exit");
    await here(["trigger", "mission.completed"]);
    const before = await secretSaid();
    printed.words = "";
    listen();
    await deliveries(3);

    expect(await secretSaid()).toBe(before);
    for (const { body, headers } of receiver.received) new Webhook(before).verify(body, headers as Record<string, string>);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      event: "mission.completed",
      data: { playerExternalId: "ann", missionKey: "m" },
    });
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
    await until(() => printed.out.split("\n").length > 3);
    expect(printed.out).toMatch(/^\S+Z {2}mission\.completed {2}\[200\] \d+ ms {2}[0-9a-f-]{36}\n\S+Z {2}mission\.completed {2}\[503\] /);
  } finally {
    program?.kill("SIGKILL");
    await receiver.close();
  }
});

test("listen ends with the program that reads its output, and keeps the copy that it could not print", async () => {
  const args = ["listen", "--events", "mission.completed", "--name", "piped"];
  const listening = async () => {
    const program = start(args, asCi);
    onTestFinished(() => void program.kill("SIGKILL"));
    let words = "";
    program.stderr.on("data", (chunk: Buffer) => (words += String(chunk)));
    await until(() => /whsec_\S+\n/.test(words));
    return program;
  };
  const program = await listening();
  program.stdout.destroy();
  const exited = once(program, "exit");
  await here(["trigger", "mission.completed"]);
  expect(await exited).toEqual([1, null]);
  const next = await listening();
  let out = "";
  next.stdout.on("data", (chunk: Buffer) => (out += String(chunk)));
  await until(() => out.includes("mission.completed"));
});

test("listen gives up a call that is never answered, as after a laptop's sleep, and delivers what it missed", async () => {
  const receiver = await startReceiver();
  const [answer] = server.listeners("request") as [RequestListener];
  // The program's calls are given up after a second; posts have their usual time.
  const hurry =
    "data:text/javascript,const real = AbortSignal.timeout; AbortSignal.timeout = (ms) => real.call(AbortSignal, ms > 15_000 ? 1_000 : ms);";
  const args = ["listen", "--forward-to", receiver.url, "--events", "mission.completed", "--name", "asleep"];
  const program = start(args, { ...asCi, options: ["--import", hurry] });
  try {
    let words = "";
    program.stderr.on("data", (chunk: Buffer) => (words += String(chunk)));
    await until(() => /whsec_\S+\n/.test(words));
    server.removeAllListeners("request");
    await until(() => words.includes("The connection is lost"));
    server.on("request", answer);
    await here(["trigger", "mission.completed"]);
    await until(() => receiver.received.length > 0);
  } finally {
    server.removeAllListeners("request").on("request", answer);
    program.kill("SIGKILL");
    await receiver.close();
  }
});

async function closedPort(): Promise<AddressInfo> {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address() as AddressInfo;
  other.close();
  await once(other, "close");
  return address;
}
