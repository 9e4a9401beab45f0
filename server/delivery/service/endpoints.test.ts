import { Webhook } from "standardwebhooks";
import { afterEach, expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { signedIn } from "../../api/testing/signed-in.ts";
import { LISTS } from "../../insight/exports/lists.ts";
import { noteFailingEndpoints } from "../../people/notices/store/notices.ts";
import { pingEndpoint } from "./ping.ts";
import { recordAttempts } from "./sending.ts";
import { type Reply, startReceiver, testCipher } from "../testing.ts";

const database = await testDatabase();
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  while (cleanUps.length > 0) await cleanUps.pop()!();
});

async function receiver(reply?: () => Reply) {
  const started = await startReceiver(reply);
  cleanUps.push(started.close);
  return started;
}

async function shop() {
  const project = await testProject(database);
  const scope = { project: project.slug, environment: "sandbox" as const };
  const { rpc, email } = await signedIn(database, project.slug, "Admin");
  const create = async (url: string, events = ["mission.completed"]) => {
    const created = await rpc.webhooks.create({ ...scope, url, events });
    if ("problems" in created) throw new Error(JSON.stringify(created.problems));
    return created;
  };
  const one = async (id: string) => (await rpc.webhooks.list(scope)).endpoints.find((endpoint) => endpoint.id === id)!;
  return { ...project, scope, rpc, email, create, one };
}

test("an endpoint is made, changed, switched off and on, given a new secret and deleted, and the audit log has it all, without secrets", async () => {
  const { slug, scope, rpc, email, create, one } = await shop();
  const { id, secret } = await create("http://127.0.0.1:1/a");
  expect(await rpc.webhooks.edit({ ...scope, id, url: "http://127.0.0.1:1/b", events: ["streak.milestone_reached"] })).toEqual({
    isResolved: true,
  });
  expect(await one(id)).toMatchObject({ url: "http://127.0.0.1:1/b", events: ["streak.milestone_reached"], isOn: true, waiting: 0 });
  await rpc.webhooks.switch({ ...scope, id, isOn: false });
  expect(await one(id)).toMatchObject({ isOn: false, offReason: `Switched off by ${email}.` });
  await rpc.webhooks.switch({ ...scope, id, isOn: true });
  expect(await one(id)).toMatchObject({ isOn: true, offReason: null });
  const rotated = await rpc.webhooks.rotateSecret({ ...scope, id });
  expect(rotated.secret).not.toBe(secret);
  expect((await one(id)).previousSecretUntil).not.toBeNull();
  await rpc.webhooks.delete({ ...scope, id });
  expect((await rpc.webhooks.list(scope)).endpoints).toEqual([]);
  const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "webhookEndpoint" });
  expect(entries.map(({ action }) => action)).toEqual(["delete", "rotate", "switch_on", "switch_off", "update", "create"]);
  expect(JSON.stringify(entries)).not.toContain("whsec_");
});

test("a save over a later change is refused, and one that is repeated or has read that change is not; a switch or a new secret is no such change", async () => {
  const { scope, rpc, create, one } = await shop();
  const [a, b, c] = ["a", "b", "c"].map((path) => `http://127.0.0.1:1/${path}`) as [string, string, string];
  const { id } = await create(a);
  const { events, revision } = await one(id);
  const save = (url: string, read: number) => rpc.webhooks.edit({ ...scope, id, url, events, revision: read });
  const refused = { problems: [{ pointer: "", message: expect.stringContaining("This endpoint has changed since you opened it.") }] };
  const answers = await Promise.all([save(b, revision), save(c, revision)]);
  expect(answers).toContainEqual({ isResolved: true });
  expect(answers).toContainEqual(refused);
  await rpc.webhooks.switch({ ...scope, id, isOn: false });
  await rpc.webhooks.rotateSecret({ ...scope, id });
  const saved = await one(id);
  expect(saved.url).not.toBe(a);
  expect(await save(saved.url, revision), "the same once more").toEqual({ isResolved: true });
  expect(await save(a, revision)).toEqual(refused);
  expect(await one(id)).toEqual(saved);
  await rpc.webhooks.switch({ ...scope, id, isOn: true });
  expect(await save(a, saved.revision)).toEqual({ isResolved: true });
});

/** A failed attempt of a new delivery, at an endpoint that has failed for that long; returns the endpoints that it switched off. */
async function failedFor(time: string, endpointId: string, environmentId: number) {
  await database.sql`update webhook_endpoints set failing_since = now() - ${time}::interval where id = ${endpointId}`;
  const [delivery] = await database.sql<{ id: string }[]>`
    insert into webhook_deliveries (id, endpoint_id, environment_id, event, source_id, data, occurred_at)
    values (gen_random_uuid(), ${endpointId}, ${environmentId}, 'mission.completed', gen_random_uuid(), '{}', now()) returning id`;
  return recordAttempts(database, [
    {
      ...{ deliveryId: delivery!.id, endpointId, number: 1, startedAt: Date.now(), durationMs: 1, responseStatus: 500, error: null },
      ...{ status: "Pending", waitMs: 5_000, timedOut: false, answer: null },
    },
  ]);
}

test("an endpoint that has failed for less than five days stays on", async () => {
  const { sandbox, create } = await shop();
  const { id } = await create("http://127.0.0.1:1/hooks");
  expect(await failedFor("4 days 23 hours", id, sandbox.id)).toEqual([]);
  expect(await failedFor("5 days", id, sandbox.id)).toHaveLength(1);
});

test("the query of an endpoint's URL is in no other table and in no export: not in the audit log, nor in notices of its failure", async () => {
  const { slug, sandbox, scope, rpc, create } = await shop();
  const { id } = await create("http://127.0.0.1:1/hooks?token=open-sesame");
  const urls = async () => {
    const { entries } = await rpc.auditLog.list({ project: slug, subjectKind: "webhookEndpoint" });
    return entries.map(({ subjectKey, changes }) => [subjectKey, ...changes.filter(({ path }) => path === "url")]);
  };
  const [shown, text] = ["http://127.0.0.1:1/hooks?…", '"http://127.0.0.1:1/hooks?…"'];
  await rpc.webhooks.edit({ ...scope, id, url: "http://127.0.0.1:1/hooks?token=open-barley", events: ["mission.completed"] });
  expect(await urls()).toEqual([
    [shown, { path: "url", before: text, after: text }],
    [shown, { path: "url", before: null, after: text }],
  ]);
  await database.sql`update webhook_endpoints set failing_since = now() - interval '6 days' where id = ${id}`;
  await noteFailingEndpoints(database.sql);
  await failedFor("6 days", id, sandbox.id);
  const exported: string[] = [];
  for await (const lines of await LISTS.deliveries!.open(database, sandbox, {})) exported.push(...lines);
  expect(exported).toMatchObject([expect.stringContaining(`"${shown}"`)]);
  await rpc.webhooks.delete({ ...scope, id: (await create("http://127.0.0.1:1/hooks?token=open-rye")).id });
  expect(await urls()).toHaveLength(5);
  const tables = await database.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const naming = tables.map(async ({ name }) => ({
    name,
    rows: (await database.sql`select from ${database.sql(name)} t where t::text like '%open-%'`).length,
  }));
  expect((await Promise.all(naming)).filter(({ rows }) => rows > 0)).toEqual([{ name: "webhook_endpoints", rows: 1 }]);
});

test("problems of an endpoint are reported by field, and a second endpoint for the fulfillment event is refused", async () => {
  const { scope, rpc, create } = await shop();
  expect(await rpc.webhooks.create({ ...scope, url: "nowhere", events: [] })).toEqual({
    problems: [
      { pointer: "#/url", message: expect.stringContaining("absolute") },
      { pointer: "#/events", message: expect.stringContaining("at least one") },
    ],
  });
  await create("http://127.0.0.1:1/a", ["catalog_item.fulfillment_requested"]);
  const { id } = await create("http://127.0.0.1:1/b");
  const handOver = { ...scope, url: "http://127.0.0.1:1/b", events: ["catalog_item.fulfillment_requested"] };
  const taken = { problems: [{ pointer: "#/events", message: expect.stringContaining("only one can") }] };
  expect(await rpc.webhooks.create(handOver)).toEqual(taken);
  expect(await rpc.webhooks.edit({ ...handOver, id })).toEqual(taken);
});

test("Editors and Viewers see endpoints without secrets, and change nothing", async () => {
  const { slug, scope, create } = await shop();
  const { id } = await create("http://127.0.0.1:1/a");
  const { rpc } = await signedIn(database, slug, "Editor");
  const listed = await rpc.webhooks.list(scope);
  expect(listed.endpoints).toHaveLength(1);
  expect(JSON.stringify(listed)).not.toContain("whsec_");
  const refused = { code: "FORBIDDEN" };
  await expect(rpc.webhooks.create({ ...scope, url: "http://127.0.0.1:1/", events: ["mission.completed"] })).rejects.toMatchObject(refused);
  await expect(rpc.webhooks.rotateSecret({ ...scope, id })).rejects.toMatchObject(refused);
  await expect(rpc.webhooks.ping({ ...scope, id })).rejects.toMatchObject(refused);
  await expect(rpc.webhooks.switch({ ...scope, id, isOn: false })).rejects.toMatchObject(refused);
  await expect(rpc.webhooks.delete({ ...scope, id })).rejects.toMatchObject(refused);
});

test("a ping is signed like a delivery, and returns the endpoint's response", async () => {
  const { scope, rpc, create, one } = await shop();
  const { received, url } = await receiver();
  const { id, secret } = await create(url);
  expect(await rpc.webhooks.ping({ ...scope, id })).toMatchObject({ isAccepted: true, status: 200, excerpt: "thanks" });
  const [{ headers, body }] = received as [(typeof received)[0]];
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ version: 1, event: "ping", data: {} });
  expect(headers["x-service-event"]).toBe("ping");
  expect(await one(id)).toMatchObject({ failingSince: null, waiting: 0 });
});

test("a failed ping explains why, and does not count against the endpoint", async () => {
  const { scope, rpc, create, one } = await shop();
  const { url } = await receiver(() => ({ status: 401 }));
  const refusing = await create(url);
  expect(await rpc.webhooks.ping({ ...scope, id: refusing.id })).toMatchObject({
    isAccepted: false,
    status: 401,
    words: expect.stringContaining("secret"),
  });
  const nobody = await create("http://127.0.0.1:1/");
  expect(await rpc.webhooks.ping({ ...scope, id: nobody.id })).toMatchObject({
    isAccepted: false,
    status: null,
    words: expect.stringContaining("Nothing listens"),
  });
  expect(await one(nobody.id)).toMatchObject({ failingSince: null, isOn: true });
});

test("an accepted ping makes its endpoint healthy; a refused one does not", async () => {
  const { scope, rpc, create, one } = await shop();
  let status = 500;
  const { url } = await receiver(() => ({ status }));
  const { id } = await create(url);
  await database.sql`update webhook_endpoints set failing_since = now() - interval '1 hour' where id = ${id}`;
  await rpc.webhooks.ping({ ...scope, id });
  expect(await one(id)).toMatchObject({ failingSince: expect.any(String) });
  status = 200;
  await rpc.webhooks.ping({ ...scope, id });
  expect(await one(id)).toMatchObject({ failingSince: null });
});

test("a ping does not reach private addresses, unless allowed", async () => {
  const { sandbox, create } = await shop();
  const { received, url } = await receiver();
  const { id } = await create(url);
  const answer = await pingEndpoint(database, sandbox, id, Date.now(), { allowPrivateAddresses: false, cipher: testCipher });
  expect(answer).toMatchObject({ isAccepted: false, status: null, words: expect.stringContaining("private or local") });
  expect(received).toEqual([]);
});

test("an environment has at most a hundred endpoints, even with concurrent requests", async () => {
  const { sandbox, create } = await shop();
  await database.sql`
    insert into webhook_endpoints (id, environment_id, url, events, secret)
    select gen_random_uuid(), ${sandbox.id}, 'http://127.0.0.1:1/' || n, '{mission.completed}', 'none' from generate_series(1, 98) n`;
  const made = await Promise.allSettled(Array.from({ length: 4 }, () => create("http://127.0.0.1:1/more")));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  await expect(create("http://127.0.0.1:1/last")).rejects.toThrow("there can be no more");
});
