import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { pino } from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { testDatabase, testProject } from "../db/testing.ts";
import { ConcurrencyLimiter } from "../server/api/concurrency-limiter.ts";
import { openDashboard } from "../server/api/dashboard.ts";
import { createApiListener, createRpcListener, SERVER_OPTIONS } from "../server/api/http.ts";
import { LargeBodies } from "../server/api/large-bodies.ts";
import { signedIn } from "../server/api/testing/signed-in.ts";
import { type Image, imageOf } from "../server/model/images/image.ts";
import { problem } from "../server/model/kernel/problem.ts";
import { NO_PAGES } from "../server/process/pages/open.ts";
import { routeRequests } from "../server/process/routing.ts";
import { signatureOf } from "../server/model/webhooks/request.ts";
import { testCipher } from "../server/delivery/testing.ts";
import { startWorker } from "../server/operations/worker/loop.ts";
import { type Definitions, KitError, openEngagement } from "./kit.ts";
import { startReceiver } from "./receiver.ts";
import { signatureProblem } from "./signature.ts";

const database = await testDatabase();
const logger = pino({ level: "silent" });
const worker = startWorker({ database, logger, allowPrivateAddresses: true, cipher: testCipher });
const parts = { database, baseUrl: "http://localhost", logger, wake: () => worker.wake() };
const dashboard = openDashboard({
  ...parts,
  allowPrivateAddresses: true,
  cipher: testCipher,
  authSecret: "only for this test",
  providers: [],
  addressOf: () => null,
});
const server = createServer(
  SERVER_OPTIONS,
  routeRequests({ api: createApiListener(parts), rpc: createRpcListener(dashboard), pages: NO_PAGES }),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const { slug } = await testProject(database);
const { rpc } = await signedIn(database, slug, "Editor");
const made = await rpc.tokens.create({ project: slug, name: "tests", role: "Editor", environment: "tests", days: 1 });
const token = "token" in made ? made.token : "";
const folder = mkdtempSync(join(tmpdir(), "engagement-definitions-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await worker.stop();
  server.closeAllConnections();
  server.close();
});

const DEFINITIONS = {
  events: [{ key: "order_placed", name: "Order placed" }],
  missions: [
    {
      key: "two",
      name: "Two orders",
      objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 2 }],
      rewards: [{ kind: "Points", points: 10 }],
    },
  ],
} as const satisfies Definitions;

test("concurrent projects see none of each other's players, clocks and webhooks, and are deleted when closed", async () => {
  const [one, other] = await Promise.all([1, 2].map(() => openEngagement({ url, token, definitions: DEFINITIONS })));
  const [ann, same] = [one!.player("ann"), other!.player("ann")];
  expect(await ann.mission("two")).toMatchObject({ status: "InProgress" });
  await ann.send("order_placed");
  const later = await one!.clock.advance("P3D");
  expect(later.getTime() - Date.now()).toBeGreaterThan(2 * 86_400_000);
  await ann.send("order_placed");
  await one!.settled({ player: ann });
  expect(await ann.mission("two")).toMatchObject({ status: "Completed" });
  const { data } = await one!.webhooks.next("mission.completed", { player: ann });
  expect(data).toMatchObject({ missionKey: "two" });
  expect(Date.parse(data["completedAtUtc"])).toBeGreaterThan(later.getTime() - 60_000);

  expect(Math.abs(other!.clock.now().getTime() - Date.now())).toBeLessThan(60_000);
  expect(await same.points()).toMatchObject({ balance: 0 });
  await expect(other!.webhooks.next("mission.completed", { timeoutMs: 50 })).rejects.toThrow(
    "No mission.completed arrived within 50 ms. Nothing did.",
  );
  const never = { player: ann, where: () => false, timeoutMs: 50 };
  await expect(one!.webhooks.next("mission.completed", never)).rejects.toThrow(
    /^No mission\.completed about ann that satisfies `where` arrived within 50 ms\. What did arrive:\n {2}mission\.completed \{.*"missionKey":"two".*\} \(taken already\)$/,
  );
  await one!.reset();
  expect(await one!.webhooks.all()).toEqual([]);
  expect(await ann.points()).toMatchObject({ balance: 0 });
  await Promise.all([one, other].map((engagement) => engagement!.close()));
  await expect(one!.send([{ playerId: "ann", event: "order_placed" }])).rejects.toThrow("project_environment.not_found");
});

test("an event whose instant is left out or undefined happens now", async () => {
  const engagement = await openEngagement({ url, token, definitions: DEFINITIONS });
  const [left, given] = [
    { playerId: "ann", event: "order_placed" },
    { playerId: "ann", event: "order_placed", occurredAt: undefined },
  ];
  expect(await engagement.send([left, given])).toEqual([expect.any(String), expect.any(String)]);
  await engagement.close();
});

test("errors name the rejected event, the file and pointer of a wrong definition, and the address that does not answer", async () => {
  const engagement = await openEngagement({ url, token, definitions: DEFINITIONS });
  await expect(engagement.send([{ playerId: "ann", event: "order_palced" }])).rejects.toThrow(
    /1 of 1 events were refused:\n.*order_palced/,
  );
  await expect(engagement.definitions({ missions: [{ key: "x", name: "X" }] } as unknown as Definitions)).rejects.toThrow(
    /\/missions\/0\/objectives: /,
  );
  await expect(engagement.definitions("no-such-file.json")).rejects.toThrow("no-such-file.json");
  const { events, missions } = DEFINITIONS;
  const [mission] = missions;
  writeFileSync(join(folder, "events.json"), JSON.stringify({ $schema: "for editors", version: 1, events }));
  writeFileSync(join(folder, "two.json"), JSON.stringify({ version: 1, missions: [{ ...mission, key: "in_a_folder" }] }));
  writeFileSync(join(folder, "of-windows.json"), `\uFEFF${JSON.stringify({ $schema: "another", baseCurrency: "EUR" })}`);
  await engagement.definitions(folder);
  writeFileSync(join(folder, "usd.json"), JSON.stringify({ baseCurrency: "USD" }));
  await expect(engagement.definitions(folder)).rejects.toThrow(/usd\.json: "baseCurrency" says something else than in another file/);
  writeFileSync(join(folder, "usd.json"), "[]");
  await expect(engagement.definitions(folder)).rejects.toThrow(/usd\.json: a definitions file is an object/);
  rmSync(join(folder, "usd.json"));
  expect(await engagement.player().mission("in_a_folder")).toMatchObject({ name: "Two orders" });
  const unknown = { ...mission, objectives: [{ ...mission!.objectives[0], event: "order_palced" }] };
  writeFileSync(join(folder, "wrong.json"), JSON.stringify({ missions: [{ key: "x", name: "X", rewards: 1 }, unknown] }));
  await expect(engagement.definitions(folder)).rejects.toThrow(
    /wrong\.json: \/missions\/0\/objectives: [^]*wrong\.json: \/missions\/0\/rewards: [^]*wrong\.json: \/missions\/1\/objectives\/0\/event: /,
  );
  await expect(engagement.clock.advance("tomorrow")).rejects.toThrow(/not an ISO 8601 duration[^{]*$/);
  await expect(engagement.api.call("GET", "v1/points")).rejects.toThrow("cannot be called at");
  await engagement.close();
  await expect(openEngagement({ url, token: "svc_pat_wrong" })).rejects.toThrow("malformed or unknown");
  await expect(openEngagement({ url, token: "svc_pat_…" })).rejects.toThrow("The token for tests is not complete");
  await expect(openEngagement({ url: "http://127.0.0.1:1", token })).rejects.toThrow("does not answer at http://127.0.0.1:1");
  await expect(openEngagement({ url: "localhost:3000", token })).rejects.toThrow("give an http or https address");
  const other = await startReceiver(() => ({ status: 404, body: "<!doctype html>" }));
  await expect(openEngagement({ url: other.url, token })).rejects.toThrow("projects/me was refused (404): the answer is a web page");
  await other.close();
  await expect(openEngagement({ url: "", token: "" })).rejects.toThrow(KitError);
});

test("large definitions of workers with one token wait for each other: after a 429 the kit asks again", async () => {
  const engagement = await openEngagement({ url, token });
  const acquire = vi.spyOn(LargeBodies.prototype, "acquire");
  const { hostname, port } = new URL(url);
  const head = ["POST /rpc/definitions/importFile HTTP/1.1", "Host: x", `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  const others = [1, 2].map(() => connect(Number(port), hostname));
  for (const other of others) other.write([...head, "Content-Length: 1000000", "", "{"].join("\r\n"));
  await expect.poll(() => acquire.mock.results.map(({ type }) => type)).toEqual(["return", "return"]);
  const description = "x".repeat(10_000);
  const missions = Array.from({ length: 27 }, (_, at) => ({ ...DEFINITIONS.missions[0], key: `large_${at}`, description }));
  const imported = engagement.definitions({ events: DEFINITIONS.events, missions });
  await expect.poll(() => acquire.mock.results.at(-1)!.type).toBe("throw");
  for (const other of others) other.destroy();
  await imported;
  acquire.mockRestore();
  await engagement.close();
});

test("a request of the public API that is refused with 429 is sent again", async () => {
  const engagement = await openEngagement({ url, token });
  const acquire = vi.spyOn(ConcurrencyLimiter.prototype, "acquire").mockImplementationOnce(() => {
    throw problem("rate_limit.concurrency_exceeded", "Other workers have all slots.");
  });
  expect(await engagement.player().points()).toMatchObject({ balance: 0 });
  expect(acquire.mock.results[0]).toMatchObject({ type: "throw" });
  acquire.mockRestore();
  await engagement.close();
});

test("images that are too large together for one call are imported, and a wrong one is named by its place", async () => {
  const engagement = await openEngagement({ url, token });
  const drawn = ["a", "b", "c", "d"].map((letter) => imageOf(Buffer.from(`<svg><text>${letter.repeat(1_000_000)}</text></svg>`)) as Image);
  const images = drawn.map(({ id, bytes }) => ({ id, bytes: bytes.toString("base64") }));
  const missions = images.map(({ id }, at) => ({ ...DEFINITIONS.missions[0], key: `drawn_${at}`, images: { icon: id } }));
  const swapped = images.with(2, { ...images[2]!, id: images[3]!.id });
  await expect(engagement.definitions({ events: DEFINITIONS.events, images: swapped })).rejects.toThrow("/images/2/id");
  await engagement.definitions({ events: DEFINITIONS.events, missions, images });
  expect(await engagement.player().mission("drawn_3")).toMatchObject({ images: { icon: expect.stringContaining(images[3]!.id) } });
  await engagement.close();
});

test("a webhook that the app under test refuses fails one call, and can still be read", async () => {
  const engagement = await openEngagement({ url, token, definitions: DEFINITIONS });
  const app = await startReceiver(() => ({ status: 500, body: "out of order" }));
  engagement.webhooks.forwardTo(app.url);
  const ann = engagement.player("ann");
  await ann.missions();
  await engagement.send([1, 2].map(() => ({ playerId: "ann", event: "order_placed" })));
  await expect(engagement.settled({ deliveries: true })).rejects.toThrow(/ answered 500 to the webhook .*: out of order$/);
  expect(await engagement.webhooks.next("mission.completed", { player: ann })).toMatchObject({ data: { missionKey: "two" } });
  expect(app.received).toHaveLength(1);
  await Promise.all([engagement.close(), app.close()]);
});

test("a delivery is trusted only with a fresh signature of its endpoint's secret", () => {
  const now = Date.parse("2026-01-31T09:00:00Z");
  const [secret, other] = ["whsec_c2VjcmV0", "whsec_b3RoZXI="];
  const delivery = (secrets: string[], at = now, body = "{}") => {
    const timestamp = Math.floor(at / 1000);
    const headers = {
      "webhook-id": "1",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatureOf(secrets, "1", timestamp, body),
    };
    return { path: "/", headers, body };
  };
  expect(signatureProblem(delivery([secret]), secret, now)).toBeNull();
  expect(signatureProblem(delivery([other, secret]), secret, now)).toBeNull();
  expect(signatureProblem(delivery([other]), secret, now)).toContain("does not match");
  expect(signatureProblem({ ...delivery([secret]), body: "{ }" }, secret, now)).toContain("does not match");
  expect(signatureProblem(delivery([secret], now - 6 * 60_000), secret, now)).toContain("within five minutes");
  expect(signatureProblem({ ...delivery([secret]), headers: {} }, secret, now)).toContain("lacks webhook-id");
});

const written = (script: string): string => execFileSync(process.execPath, [`scripts/${script}`, "--print"], { encoding: "utf8" });

test("the kit's type of definitions is the one generated from the service's schema", () => {
  expect(written("definitions-types.mjs")).toBe(readFileSync(new URL("definitions-file.ts", import.meta.url), "utf8"));
});

test("the calls of a kit in any language match their OpenAPI document", async () => {
  const text = readFileSync(new URL("../docs/testing.openapi.json", import.meta.url), "utf8");
  expect(written("testing-openapi.mjs")).toBe(text);
  const document = JSON.parse(text) as { paths: Record<string, { post: Operation }> };
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const called = new Set<string>();
  const post = (procedure: string, input: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(`${url}rpc/${procedure}`, { method: "POST", headers, body: JSON.stringify({ json: input }) });
  };
  const call = async (procedure: string, input: object = {}): Promise<any> => {
    called.add(`/rpc/${procedure}`);
    const { requestBody, responses } = document.paths[`/rpc/${procedure}`]!.post;
    expect(ajv.validate(requestBody.content["application/json"].schema, { json: input }), ajv.errorsText()).toBe(true);
    const answer = await post(procedure, input);
    const json: unknown = await answer.json();
    const { content } = responses[answer.ok ? "200" : "default"]!;
    expect(ajv.validate(content["application/json"].schema, json), `${procedure}: ${ajv.errorsText()}`).toBe(true);
    return (json as { json: unknown }).json;
  };
  const home = (await call("projects/me")).projects[0].slug as string;
  const { slug: project } = await call("testProjects/create", { project: home });
  const where = { project, environment: "sandbox" };
  await call("keys/create", { ...where, name: "tests" });
  await call("webhooks/listen", { ...where, name: "tests", session: "1", start: {} });
  const file = { ...where, text: JSON.stringify({ version: 1, ...DEFINITIONS }) };
  const { changes } = await call("definitions/importFile", { ...file, dryRun: true });
  expect(changes).not.toEqual([]);
  expect((await post("definitions/importFile", { ...file, dry_run: true })).status).toBe(400);
  expect((await call("definitions/importFile", file)).changes).toEqual(changes);
  expect((await call("definitions/importFile", { ...where, text: "{}" })).problems).not.toEqual([]);
  expect(await call("work/moveClock", { ...where, by: "soon" })).toMatchObject({ message: expect.stringContaining("ISO 8601") });
  expect((await post("work/moveClock", { ...where, by: "PT1H", to: "2030-01-01T00:00:00Z" })).status).toBe(400);
  await call("work/moveClock", { ...where, by: "PT1H" });
  await call("work/settled", { ...where, player: null, deliveries: true, withinMs: 20_000 });
  await call("work/reset", { ...where, confirmation: project });
  await call("webhooks/listen", { ...where, name: "tests", session: "1", done: [], waitMs: 0 });
  await call("testProjects/remove", { project: home, slug: project });
  expect([...called].toSorted()).toEqual(Object.keys(document.paths).toSorted());
});

interface Operation {
  requestBody: Body;
  responses: Record<string, Body>;
}

interface Body {
  content: Record<"application/json", { schema: object }>;
}

test("the first test of the guide is the one that the example runs", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const guide = /`shop\.spec\.ts`:\n\n```ts\n([\s\S]*?)```/.exec(read("../docs/testing.md"))?.[1];
  const [, ...lines] = read("example/guide.spec.ts").split("\n");
  expect(lines.join("\n").replace("../playwright.ts", "@engagement-service/cli/testing/playwright")).toBe(guide);
});
