import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { revokeKeys } from "../../db/testing.ts";
import { createApiKey } from "../../server/people/api-keys/api-keys.ts";
import { archiveProject } from "../../server/people/projects/projects.ts";
import { mission, ORDER_PLACED, shop } from "../definitions.ts";
import { exchange } from "../http.ts";
import { startService } from "../listening.ts";

const service = await startService();
const ENDPOINTS: [string, string][] = [
  ["POST", "/v1/events"],
  ["POST", "/v1/players"],
  ["POST", "/v1/missions"],
  ["POST", "/v1/missions/one/accept"],
  ["GET", "/v1/points?PlayerId=ann"],
  ["GET", "/v1/points/transactions?PlayerId=ann"],
  ["POST", "/v1/points/adjustments"],
  ["GET", "/v1/nothing"],
  ["DELETE", "/v1/points"],
];
const UNKNOWN = "0123456789abcdef".repeat(4);

const { sandbox } = await service.customer();

describe("401 auth.api_key_invalid", () => {
  test.each<[string, Record<string, string>]>([
    ["no header", {}],
    ["an empty header", { authorization: "" }],
    ["no key", { authorization: "Bearer " }],
    ["an unknown key", { authorization: `Bearer svc_sbox_${UNKNOWN}` }],
    ["another scheme", { authorization: `Basic ${sandbox.key}` }],
    ["no scheme", { authorization: sandbox.key }],
    ["a key of the other environment's prefix", { authorization: `Bearer ${sandbox.key.replace("sbox", "live")}` }],
    ["a key cut short", { authorization: `Bearer ${sandbox.key.slice(0, -1)}` }],
    ["a key with more behind", { authorization: `Bearer ${sandbox.key}0` }],
    ["a key in capitals", { authorization: `Bearer ${sandbox.key.toUpperCase()}` }],
    ["two keys", { authorization: `Bearer ${sandbox.key}, Bearer ${sandbox.key}` }],
    ["the key elsewhere", { "x-api-key": sandbox.key }],
    ["a hash for the key", { authorization: `Bearer svc_sbox_${hash("sha256", sandbox.key)}` }],
    ["SQL", { authorization: "Bearer ' or 1=1 --" }],
    ["a very long key", { authorization: `Bearer svc_sbox_${"a".repeat(8_000)}` }],
  ])("for %s, before anything else is checked", async (_, headers) => {
    for (const [method, path] of ENDPOINTS) {
      const reply = await exchange(service.port, method, path, { headers, body: method === "POST" ? "not json" : undefined });
      expect([reply.status, reply.code, reply.headers["www-authenticate"]], path).toEqual([401, "auth.api_key_invalid", "Bearer"]);
      expect(reply.headers["content-type"]).toBe("application/problem+json");
    }
  });

  test("for a key in the query or in the body", async () => {
    const inQuery = await exchange(
      service.port,
      "GET",
      `/v1/points?PlayerId=ann&apiKey=${sandbox.key}&Authorization=Bearer%20${sandbox.key}`,
    );
    const inBody = await exchange(service.port, "POST", "/v1/players", {
      body: { playerId: "ann", authorization: `Bearer ${sandbox.key}` },
    });
    expect([inQuery.status, inBody.status]).toEqual([401, 401]);
  });
});

describe("a key", () => {
  test("has its environment's prefix and 64 hex characters, and is stored as a SHA-256 alone", async () => {
    const { sandbox, live } = await service.customer();
    expect(sandbox.key).toMatch(/^svc_sbox_[0-9a-f]{64}$/);
    expect(live.key).toMatch(/^svc_live_[0-9a-f]{64}$/);
    const rows = await service.database
      .sql`select *, encode(hash, 'hex') as hex from api_keys where environment_id = ${sandbox.environment.id}`;
    expect(rows.map(({ hex }) => hex)).toEqual([hash("sha256", sandbox.key)]);
    expect(JSON.stringify(rows)).not.toContain(sandbox.key.slice(9, -4));
  });

  test("revoked is refused from the next request on; another key of the environment still works", async () => {
    const { project, sandbox } = await service.customer();
    const other = await createApiKey(service.database, project.sandbox, "other");
    expect((await sandbox.get("/v1/points?PlayerId=ann")).status).toBe(200);
    await revokeKeys(service.database, project.sandbox, "test");
    for (const [method, path] of ENDPOINTS) expect((await sandbox.call(method, path)).code).toBe("auth.api_key_invalid");
    const reply = await exchange(service.port, "GET", "/v1/points?PlayerId=ann", { headers: { authorization: `Bearer ${other}` } });
    expect(reply.status).toBe(200);
  });

  test("of an archived project answers 404 project_environment.not_found", async () => {
    const { project, sandbox, live } = await service.customer();
    await archiveProject(service.database, project.slug);
    for (const backend of [sandbox, live]) {
      const { status, code } = await backend.get("/v1/points?PlayerId=ann");
      expect([status, code]).toEqual([404, "project_environment.not_found"]);
    }
  });

  test("is not needed for documents: openapi.json is public", async () => {
    expect((await exchange(service.port, "GET", "/v1/openapi.json")).status).toBe(200);
    expect((await exchange(service.port, "GET", "/v1/openapi.json", { headers: { authorization: "Bearer nonsense" } })).status).toBe(200);
  });

  test("is accepted with any spelling of Bearer", async () => {
    const { sandbox } = await service.customer();
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const reply = await exchange(service.port, "GET", "/v1/points?PlayerId=ann", {
        headers: { authorization: `${scheme} ${sandbox.key}` },
      });
      expect(reply.status).toBe(200);
    }
  });
});

describe("two environments and two projects", () => {
  test("never see each other: players, events, missions, points, keys of idempotency", async () => {
    const [one, other] = [await service.customer(), await service.customer()];
    const backends = [one.sandbox, one.live, other.sandbox, other.live];
    for (const backend of backends) await backend.define(shop(mission("one"), mission("manual", { optIn: "Manual" })));
    const item = { playerId: "ann", idempotencyKey: "k" };

    await one.sandbox.missions("ann");
    const [id] = await one.sandbox.send(item);
    await one.sandbox.applied();
    const adjusted = await one.sandbox.adjust("ann", 5, { idempotencyKey: "k" });
    expect((await one.sandbox.points("ann")).balance).toBe(15);

    for (const backend of [one.live, other.sandbox, other.live]) {
      expect(await backend.points("ann")).toEqual({ balance: 0, totalGranted: 0, totalSpent: 0 });
      expect(await backend.transactions("ann")).toEqual([]);
      expect((await backend.adjust("ann", 5)).code).toBe("player.not_found");
      expect((await backend.accept("ann", "manual")).code).toBe("mission.not_locked_in");
      expect((await backend.send(item))[0]).not.toBe(id);
      await backend.applied();
      expect(await backend.counterValue("ann", "one")).toBe(0);
      expect((await backend.adjust("ann", 7, { idempotencyKey: "k" })).json).toMatchObject({ balance: 7 });
    }
    expect((await one.sandbox.adjust("ann", 5, { idempotencyKey: "k" })).json.transactionId).toBe(adjusted.json.transactionId);
    expect((await one.sandbox.points("ann")).balance).toBe(15);
    const rows = await Promise.all(backends.map(async (backend) => (await backend.mission("ann", "manual")).objectives[0].objectiveId));
    expect(new Set(rows).size).toBe(4);
  });

  test("have separate definitions: those of one environment are unknown in the other, with any body", async () => {
    const { sandbox, live } = await service.customer();
    await sandbox.define({ events: [ORDER_PLACED], missions: [mission("one")] });
    await live.define({ events: [{ ...ORDER_PLACED, key: "order_shipped" }] });
    const refusals = await live.post("/v1/events", {
      environment: "sandbox",
      events: [{ playerId: "ann", event: "order_placed", occurredAt: "2026-01-31T09:00:00Z", environment: "sandbox" }],
    });
    expect(refusals.json.results[0].errors[0].code).toBe("event.not_found");
    expect((await sandbox.batch({ playerId: "ann", event: "order_shipped" })).json.results[0].errors[0].code).toBe("event.not_found");
    expect(await live.missions("ann")).toEqual([]);
    expect(await sandbox.missions("ann")).toHaveLength(1);
  });

  test("have clocks of their own", async () => {
    const [one, other] = [await service.customer(), await service.customer()];
    await one.sandbox.advance("P1Y");
    for (const backend of [one.live, other.sandbox]) {
      const { json, headers } = await backend.post("/v1/players", { playerId: "ann" });
      expect([headers["x-sandbox-time"], Date.parse(json.createdAtUtc) < Date.now() + 60_000]).toEqual([undefined, true]);
    }
  });

  test("share the zone and the language of their project", async () => {
    const { sandbox, live } = await service.customer({ defaultLanguage: "nl", timeZone: "Asia/Kolkata" });
    for (const backend of [sandbox, live]) {
      await backend.define(shop(mission("one", { name: { default: "nl", texts: { en: "One", nl: "Een" } } })));
      expect((await backend.missions("ann"))[0].name).toBe("Een");
    }
  });
});
