import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { png } from "../server/authoring/images/testing.ts";
import { type Image, imageOf } from "../server/model/images/image.ts";
import { steadyPort } from "./programs.ts";

/** The package as others get it: packed, installed in empty folders, on the oldest Node that it promises, against `serve --ephemeral`. */
const root = fileURLToPath(new URL("..", import.meta.url));
const { name, version, engines } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
  name: string;
  version: string;
  engines: { node: string };
};
const folder = mkdtempSync(join(tmpdir(), "engagement-package-"));
const run = promisify(execFile);
const npm = (args: string[], cwd = folder) =>
  run("npm", [...args, "--cache", join(folder, "cache"), "--no-audit", "--no-fund", "--loglevel=error"], { cwd });

const [port, tarball, oldest] = await Promise.all([steadyPort(), pack(), oldestNode()]);
const definitions = join(root, "docs/examples/definitions");
const { npx, ended, pid, served, seconds } = await serveEphemeral();
const env = { ...process.env, ENGAGEMENT_URL: served.url, ENGAGEMENT_TOKEN: served.token, XDG_CONFIG_HOME: folder };
afterAll(async () => {
  // npx forwards no signal to the service, which ends all the same and closes the output.
  npx.kill("SIGTERM");
  npx.stdout!.resume();
  await ended;
  rmSync(folder, { recursive: true, force: true });
  expect(readdirSync(tmpdir()).filter((one) => one.startsWith(`engagement-ephemeral-${pid}-`))).toEqual([]);
});

async function pack(): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, "--loglevel=error"], {
    cwd: join(root, "packages/cli"),
  });
  return join(folder, (JSON.parse(stdout.slice(stdout.indexOf("["))) as [{ filename: string }])[0].filename);
}

/** The folder of the oldest supported Node, cached between runs; that of the running Node where npm has none for this platform. */
async function oldestNode(): Promise<string> {
  const wanted = `${/[\d.]+/.exec(engines.node)![0]}.0`;
  const home = join(root, "node_modules/.cache", `node-${wanted}`);
  const bin = join(home, `node_modules/node-${process.platform}-${process.arch}/bin`);
  try {
    mkdirSync(home, { recursive: true });
    if (!existsSync(bin)) await npm(["install", "--prefix", home, `node-${process.platform}-${process.arch}@${wanted}`]);
    await run(join(bin, "node"), ["--version"]);
    return bin;
  } catch {
    console.log(`Node.js ${wanted} is not available here: the package is tested on ${process.version}.`);
    return dirname(process.execPath);
  }
}

async function serveEphemeral() {
  const began = performance.now();
  const options = ["--ephemeral", "--json", "--port", String(port), "--definitions", definitions];
  // As npx starts it, in a shell.
  const child: ChildProcess = spawn(
    "sh",
    ["-c", '"$@" & echo $!; wait', "npx", process.execPath, join(root, "bin/engagement.mjs"), "serve", ...options],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, npm_lifecycle_event: "npx" },
    },
  );
  const ended = once(child, "close");
  let [id, printed] = ["", ""];
  for await (const line of createInterface({ input: child.stdout! })) {
    if (id === "") id = line;
    else printed += line;
    if (line === "}") break;
  }
  const ready = JSON.parse(printed) as { url: string; token: string; project: string; key: string };
  return { npx: child, ended, pid: Number(id), served: ready, seconds: (performance.now() - began) / 1000 };
}

/** The installed program, by the oldest Node. */
async function engagement(bin: string, ...args: string[]) {
  const child = spawn(join(bin, "engagement"), args, { cwd: folder, env: { ...env, PATH: `${oldest}${delimiter}${process.env.PATH}` } });
  const said = { out: "", words: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (said.words += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  return { code, ...said };
}

const sizeOf = (path: string): number =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((one) => statSync(join(path, one)))
    .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);

test("the ephemeral service answers with the definitions that it was given", async () => {
  console.log(`The ephemeral service was ready after ${seconds.toFixed(1)} s.`);
  const answer = await fetch(`${served.url}/v1/missions`, {
    method: "POST",
    headers: { authorization: `Bearer ${served.key}` },
    body: JSON.stringify({ playerId: "ann" }),
  });
  expect(((await answer.json()) as { missionKey: string }[]).map(({ missionKey }) => missionKey)).toContain("two_coffees");
});

test("installed in empty folders it is small, runs no script, and needs nothing else", async () => {
  await Promise.all([
    npm(["install", "--offline", "--prefix", folder, tarball]),
    npm(["install", "--offline", "--global", "--prefix", join(folder, "global"), tarball]),
  ]);
  expect(readdirSync(join(folder, "node_modules")).filter((one) => !one.startsWith("."))).toEqual([name.split("/")[0]]);
  const own = join(folder, "node_modules", name);
  expect(sizeOf(join(folder, "node_modules"))).toBeLessThan(5_000_000);
  console.log(`The package takes ${Math.round(sizeOf(own) / 1000)} kB, its archive ${Math.round(statSync(tarball).size / 1000)} kB.`);
  const { scripts = {}, dependencies = {} } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as Record<string, object>;
  expect(Object.keys(scripts).filter((one) => /install|prepare/.test(one))).toEqual([]);
  expect(dependencies).toEqual({});
  const licenses = readFileSync(join(own, "dist/licenses.txt"), "utf8");
  for (const bundled of ["commander", "zod", "yaml", "@modelcontextprotocol/sdk"])
    expect(licenses).toMatch(new RegExp(`^${bundled} .*\\n\\n.+`, "m"));
  expect(version).toBe((JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version);

  const bins = [join(folder, "node_modules/.bin"), join(folder, "global/bin")];
  expect(await Promise.all(bins.map((bin) => engagement(bin, "--version")))).toEqual(
    bins.map(() => ({ code: 0, out: `${version}\n`, words: "" })),
  );
  const { stdout } = await npm(["exec", "--offline", "--yes", "--package", tarball, "--", "engagement", "--version"], tmpdir());
  expect(stdout.trim()).toBe(version);
});

test("the steps of the guide work on the oldest Node, and those that need the service's own package say so", async () => {
  const bin = join(folder, "node_modules/.bin");
  expect((await engagement(bin, "whoami")).out).toContain('token "tests": project tests, test projects, Editor');
  const made = await engagement(bin, "test", "create");
  const slug = /^ENGAGEMENT_PROJECT=(.*)$/m.exec(made.out)?.[1] ?? "";
  const where = ["--project", slug];
  expect(await engagement(bin, "definitions", "validate", definitions)).toMatchObject({ code: 0 });
  expect(await engagement(bin, "definitions", "plan", definitions, ...where)).toMatchObject({
    code: 2,
    out: "+ events order_placed\n+ missions two_coffees\n+ missions coffee_of_the_day\n",
  });
  expect(await engagement(bin, "definitions", "apply", definitions, ...where)).toMatchObject({ code: 0 });
  const scenarios = await engagement(
    bin,
    "definitions",
    "test",
    join(root, "server/operations/demo/definitions.json"),
    "--scenarios",
    join(root, "server/operations/demo/scenarios"),
  );
  expect([scenarios.code, scenarios.words]).toEqual([0, expect.stringContaining(" scenarios passed")]);
  expect((await engagement(bin, "clock", "advance", "--by", "P1D", ...where)).out).toMatch(/^\d{4}-/);
  expect(await engagement(bin, "test", "remove", ...where)).toMatchObject({ code: 0 });
  expect(await engagement(bin, "audit")).toMatchObject({ code: 1, words: expect.stringContaining("only beside the service's database") });
  expect(await engagement(bin, "serve", "--ephemeral")).toMatchObject({
    code: 1,
    words: expect.stringContaining("This package has no service"),
  });
});

test("the kit of the package has types, receives webhooks by the stream and forwards them to the app under test", async () => {
  const received: string[] = [];
  const app = createServer((request, response) => {
    received.push(String(request.headers["webhook-signature"]));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(app, "listening");
  writeFileSync(
    join(folder, "shop.mts"),
    `import { type Definitions, openEngagement } from "${name}/testing";
declare const process: { argv: string[] };
// @ts-expect-error: a misspelt member does not compile.
export const wrong: Definitions = { mission: [] };
const engagement = await openEngagement({ definitions: process.argv[2]! });
engagement.webhooks.forwardTo(process.argv[3]!);
const ann = engagement.player("ann");
await ann.missions();
await engagement.send([1, 2].map(() => ({ playerId: ann.id, event: "order_placed" })));
await engagement.settled();
console.log((await engagement.webhooks.next("mission.completed", { player: ann })).data["missionKey"]);
await engagement.close();
`,
  );
  const program = join(folder, "shop.mjs");
  writeFileSync(
    program,
    readFileSync(join(folder, "shop.mts"), "utf8")
      .replace(/^.*(ts-expect-error|(export|declare) const).*\n/gm, "")
      .replaceAll("!", "")
      .replace("type Definitions, ", ""),
  );
  const compilerOptions = { noEmit: true, strict: true, module: "nodenext", lib: ["esnext", "dom"], types: [], skipDefaultLibCheck: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["shop.mts"] }));
  const [{ stdout }] = await Promise.all([
    run(join(oldest, "node"), [program, definitions, `http://127.0.0.1:${(app.address() as AddressInfo).port}/hooks`], { env }),
    run(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], { cwd: folder }),
  ]);
  expect(stdout).toMatch(/^(coffee_of_the_day|two_coffees)\n$/);
  expect(received).not.toEqual([]);
  app.close();
});

/** The examples in other languages, with images that are too large together for one call. */
async function examples(): Promise<string> {
  const copy = mkdtempSync(join(folder, "examples-"));
  await run("cp", ["-r", `${join(root, "docs/examples")}/.`, copy]);
  const catalogItems = [1, 2, 3, 4].map((side) => {
    const { id, bytes } = imageOf(png(side, side, 1_000_000)) as Image;
    writeFileSync(join(copy, "definitions/images", `${id}.png`), bytes);
    return { key: `item_${side}`, name: "Item", valueType: "Number", images: { icon: id } };
  });
  writeFileSync(join(copy, "definitions/items.json"), JSON.stringify({ version: 1, catalogItems }));
  return copy;
}

test("the example in Python passes with pytest", async () => {
  const pytest = spawnSync("python3", ["-m", "pytest", "-q", "-p", "no:cacheprovider", join(await examples(), "python")], {
    env: { ...env, PYTHONDONTWRITEBYTECODE: "1" },
    encoding: "utf8",
  });
  if (pytest.error !== undefined || /No module named pytest/.test(pytest.stderr))
    return console.log("pytest is not on this machine: its example is not tried.");
  expect([pytest.status, pytest.stdout]).toEqual([0, expect.stringContaining("3 passed")]);
});

test("the example in Java passes with JUnit", async () => {
  const project = join(await examples(), "java");
  // Maven alone takes ten CPU seconds, for which a busy machine may need minutes; hence the long limit. These options suit a short-lived
  // program, and halve its CPU time.
  const quickly = { ...env, MAVEN_OPTS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" };
  const maven = spawnSync("mvn", ["-o", "-q", "-B", "-DforkCount=0", "test"], { cwd: project, env: quickly, encoding: "utf8" });
  if (maven.error !== undefined || /offline mode/.test(maven.stdout))
    return console.log("Maven with JUnit is not on this machine: the example in Java is not tried.");
  expect([maven.status, maven.stdout]).toEqual([0, expect.not.stringContaining("ERROR")]);
  expect(readFileSync(join(project, "target/surefire-reports/TEST-example.MissionsTest.xml"), "utf8")).toContain('tests="2" errors="0"');
}, 600_000);
