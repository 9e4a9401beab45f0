import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, testDatabaseUrl } from "../../db/testing.ts";
import { capturePrinted } from "../../server/cli/testing.ts";
import { run } from "../../server/process/cli.ts";
import { type Exchange, MAKE_KEY } from "../../web/docs/guides/exchange.ts";
import { GUIDES } from "../../web/docs/guides/guides.ts";
import { missionSteps } from "../../web/docs/guides/missions-steps.ts";
import { LANGUAGES } from "../../web/docs/code/languages.ts";
import { codeText } from "../../web/docs/code/shown.ts";
import type { Backend } from "../backend.ts";
import { startService } from "../listening.ts";
import { isHere, Shell } from "./runtimes.ts";

const DEMO = JSON.parse(readFileSync(new URL("../../server/operations/demo/definitions.json", import.meta.url), "utf8")) as object;
const service = await startService(await testDatabase());
const address = `http://127.0.0.1:${service.port}`;

const shownIn = (language: string, request: Exchange): string =>
  codeText(LANGUAGES.find(({ name }) => name === language)!.codeOf(request, address));

/** A guide's project is a separate one here; everything else is as shown. */
const inProject = ({ command }: { command: string }, slug: string): string => command.replaceAll(/--project \S+/g, `--project ${slug}`);

vi.stubEnv("DATABASE_URL", await testDatabaseUrl());
vi.stubEnv("BASE_URL", address);
vi.stubEnv("AUTH_SECRET", "only for the test of guides");
const taken = capturePrinted();

/** Runs a command line in this process, from a shell's folder: a process for each takes 0.8 CPU seconds to load the service's code. */
async function runCommandLine(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [folder, ...args] = (await text(request)).split("\0").slice(0, -1);
  const checkout = process.cwd();
  process.chdir(folder!);
  const code = await run(args);
  process.chdir(checkout);
  const { out, err } = taken();
  response.writeHead(code === 0 ? 200 : 500).end((code === 0 ? out : err).join("\n"));
}
const commandLine = createServer((request, response) => void runCommandLine(request, response));
await new Promise<void>((resolve) => commandLine.listen(0, "127.0.0.1", resolve));
afterAll(() => commandLine.close());

/** A shell with an empty environment, and a command line on the service's database. It ends with the test. */
function openShell(): Shell {
  const shell = new Shell(`http://127.0.0.1:${(commandLine.address() as AddressInfo).port}`);
  onTestFinished(() => shell.close());
  return shell;
}

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

test("one shell runs the README and then every guide, in order, with the answers shown", async () => {
  const { project, sandbox } = await service.customer({ timeZone: "Europe/Amsterdam" });
  await sandbox.define(DEMO);
  const shell = openShell();
  await followReadme(shell, sandbox);
  // Each guide begins with this command.
  await shell.type("unset KEY");
  await shell.type(inProject(MAKE_KEY, project.slug));
  for (const stepsAt of Object.values(GUIDES)) {
    for (const [name, step] of Object.entries(stepsAt(Date.now()))) {
      if ("command" in step) await shell.type(inProject(step, project.slug));
      else await expectAnswer("curl", step, { name, shell, backend: sandbox });
    }
  }
  expect(await shell.type("cat engagement.d.ts"), "the types of the guide to typed clients").toMatch(/MissionKey[^]*KnownEvent/);
});

/** The README's first mission, with the key that a first start prints. */
async function followReadme(shell: Shell, sandbox: Backend): Promise<void> {
  const chapter = README.split("\n## ").find((one) => one.startsWith("Your first completed mission"))!;
  const blocks = [...chapter.matchAll(/^```\n([^]*?)\n```$/gm)].map(([, block]) => block!);
  const [key, ...requests] = blocks.filter((block) => !/^[[{]/.test(block));
  expect(key).toMatch(/^export KEY=svc_sbox_…$/);
  await shell.type(key!.replace("svc_sbox_…", sandbox.key));
  expect(requests).toHaveLength(3);
  let last = "";
  for (const request of requests) {
    const { status, text } = await shell.request("curl", request.replace("http://localhost:3000", address));
    expect(status, text).toBe(200);
    await sandbox.applied();
    last = text;
  }
  expect(JSON.parse(last)).toEqual(JSON.parse(blocks.at(-1)!));
}

// Starting a program per request takes time. This guide has nested bodies, both methods with a body, an empty answer and a refusal; below,
// each language also reads.
test.for(["TypeScript", "Python"])(
  "%s makes a guide's requests from such a shell and gets the same answers",
  async (language, { skip }) => {
    if (!isHere(language)) skip(`${language} is not on this machine.`);
    const sandbox = await service.sandbox(DEMO, { timeZone: "Europe/Amsterdam" });
    const shell = openShell();
    await shell.type(`export KEY=${sandbox.key}`);
    for (const [name, step] of Object.entries(missionSteps(Date.now())))
      await expectAnswer(language, step, { name, shell, backend: sandbox });
  },
);

interface Expected {
  name: string;
  shell: Shell;
  backend: Backend;
}

async function expectAnswer(language: string, step: Exchange, { name, shell, backend }: Expected): Promise<void> {
  const { status, text, headers } = await shell.request(language, shownIn(language, step));
  const json = text === "" ? undefined : (JSON.parse(text) as unknown);
  expect(status, `${name}: ${text}`).toBe(step.status);
  expect(examples(json ?? null), name).toEqual(excerpt(examples(step.answer ?? null)));
  if (headers) {
    const reply = { status, headers, text, json, code: (json as { code?: string } | undefined)?.code };
    expect(service.conformance.ofAnswer(step.method, step.path, reply)).toEqual([]);
  }
  await backend.applied();
}

const UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"/g;
const INSTANT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g;

/** Replaces every id and every instant by the same example. */
const examples = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(UUID, '"an id"').replace(INSTANT, '"an instant"'));

/** Guides may leave out members and rows, but what they show must be there. */
function excerpt(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.length === 0 ? [] : expect.arrayContaining(shown.map(excerpt));
  if (typeof shown !== "object" || shown === null) return shown;
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, excerpt(value)])));
}

/** Characters that some language interprets. */
const NAME = 'O\'Hara "the" \\ `Kid` $x #{y} """ %s {{z}} ü 🙂\n\ttail';
const VALUES = { tier: "gold", age: -0.5, vip: true, late: false };
const TYPES = { tier: "String", age: "Number", vip: "Boolean", late: "Boolean" };
const ATTRIBUTES = Object.entries(TYPES).map(([key, type]) => ({ key, name: key, type }));
const REQUESTS: readonly Exchange[] = [
  {
    method: "POST",
    path: "/v1/players",
    body: { playerId: "a/b & c", displayName: NAME, timeZoneId: null },
    status: 200,
    answer: { displayName: NAME },
  },
  { method: "PUT", path: "/v1/attributes", body: { playerId: "a/b & c", attributes: VALUES }, status: 200, answer: {} },
  { method: "GET", path: "/v1/attributes?PlayerId=a%2Fb%20%26%20c", status: 200, answer: { attributes: VALUES } },
];

test.for(LANGUAGES.map(({ name }) => name))(
  "%s: requests of every method arrive with their characters and values unchanged",
  async (language, { skip }) => {
    if (!isHere(language)) skip(`${language} is not on this machine.`);
    const backend = await service.sandbox({ attributes: ATTRIBUTES });
    // Java takes seconds to compile each program.
    const requests = language === "Java" ? REQUESTS.slice(0, 1) : REQUESTS;
    const shell = openShell();
    await shell.type(`export KEY=${backend.key}`);
    for (const request of requests) await expectAnswer(language, request, { name: request.path, shell, backend });
  },
);

test("a failing line fails the whole block", async () => {
  await expect(openShell().type("false\ntrue")).rejects.toThrow("false");
});
