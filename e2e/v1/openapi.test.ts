import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { TAGS } from "../../server/model/contract/v1.ts";
import { ERRORS } from "../../server/model/kernel/errors.ts";
import { subscriptionProblems } from "../../server/model/webhooks/subscriptions.ts";
import { startReceiver } from "../../server/delivery/testing.ts";
import { until } from "../../db/testing/work.ts";
import { board } from "../boards.ts";
import { item, listing, mission, points, shop } from "../definitions.ts";
import { exact, exchange } from "../http.ts";
import { BASE_URL, startService } from "../listening.ts";

const service = await startService();
const { status, headers, text, json: document } = await exchange(service.port, "GET", "/v1/openapi.json");

interface Operation {
  method: string;
  path: string;
  operation: any;
}
const operationsOf = (paths: object): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]): Operation => ({ method, path, operation })),
  );
const endpoints = operationsOf(document.paths);
const webhooks = operationsOf(document.webhooks);

/** The target of a reference. */
const resolved = (node: any): any =>
  node.$ref
    ? (node.$ref as string)
        .slice(2)
        .split("/")
        .reduce<any>((inner, step) => inner[step], document)
    : node;
const responsesOf = ({ operation }: Operation) =>
  Object.entries<any>(operation.responses).map(([code, response]): [number, any] => [Number(code), resolved(response)]);
/** Every schema of a member or a list's element, wherever it stands, with its name. */
function members(node: any, name = ""): [string, any][] {
  if (typeof node !== "object" || node === null) return [];
  const own: [string, any][] = "type" in node || "$ref" in node ? [[name, node]] : [];
  return [...own, ...Object.entries(node).flatMap(([step, inner]) => (step.startsWith("example") ? [] : members(inner, step)))];
}

describe("GET /v1/openapi.json", () => {
  test("is a valid OpenAPI 3.1 document about this address", async () => {
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.servers).toEqual([{ url: BASE_URL }]);
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  });

  test("passes the recommended rules of a linter, and every example fits its schema", async () => {
    const examples = ["no-invalid-media-type-examples", "no-invalid-parameter-examples", "no-invalid-schema-examples"];
    const rules = Object.fromEntries(examples.map((rule) => [rule, "error" as const]));
    const config = await createConfig({
      extends: ["recommended"],
      rules: { ...rules, "info-license": "off", "no-server-example.com": "off" },
    });
    const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  test("describes every endpoint, and no other", () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      "get /v1/attributes",
      "get /v1/leaderboards",
      "get /v1/leaderboards/{leaderboardKey}",
      "get /v1/marketplace-collections/{collectionKey}",
      "get /v1/marketplace-items",
      "get /v1/marketplace-items/{marketplaceItemKey}",
      "get /v1/marketplace-purchases",
      "get /v1/points",
      "get /v1/points/transactions",
      "get /v1/streaks",
      "post /v1/attribute-events",
      "post /v1/events",
      "post /v1/marketplace-items/{marketplaceItemKey}/purchases",
      "post /v1/metric-events",
      "post /v1/mission-collections/{collectionKey}",
      "post /v1/missions",
      "post /v1/missions/{missionKey}/accept",
      "post /v1/players",
      "post /v1/points/adjustments",
      "put /v1/attributes",
    ]);
    const ids = [...endpoints, ...webhooks].map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("describes every operation, parameter and answer", () => {
    expect(document.tags.map(({ name }: any) => name)).toEqual(Object.keys(TAGS));
    for (const { operation } of [...endpoints, ...webhooks]) {
      for (const said of [operation.summary, operation.description]) expect(said.length).toBeGreaterThan(10);
      expect(operation.tags.every((tag: string) => tag in TAGS)).toBe(true);
      for (const { description } of operation.parameters) expect(description).toBeTruthy();
    }
    for (const endpoint of endpoints)
      for (const [, { description }] of responsesOf(endpoint)) expect(description.length).toBeGreaterThan(10);
  });

  test("has described query parameters in PascalCase, and bodies in camelCase that require the player", () => {
    for (const { method, path, operation } of endpoints) {
      const inQuery = operation.parameters.filter((one: any) => one.in === "query").map((one: any) => one.name);
      for (const name of inQuery) expect(name).toMatch(/^[A-Z]/);
      for (const one of operation.parameters)
        expect(Object.keys(one).sort()).toEqual(["description", "example", "in", "name", "required", "schema"]);
      if (method === "get") expect(inQuery).toContain("PlayerId");
      else {
        const { schema } = operation.requestBody.content["application/json"];
        for (const name of Object.keys(schema.properties)) expect(name).toMatch(/^[a-z]/);
        expect(schema.required).toContain(path === "/v1/events" ? "events" : path.endsWith("-events") ? "externalPlayerId" : "playerId");
      }
    }
  });

  test("requires the key as a bearer, except for webhooks", () => {
    const [scheme] = Object.values<any>(document.components.securitySchemes);
    expect(scheme).toMatchObject({ type: "http", scheme: "bearer" });
    expect(document.security).toHaveLength(1);
    for (const { operation } of endpoints) expect(operation.security).toBeUndefined();
    for (const { operation } of webhooks) expect(operation.security).toEqual([]);
  });

  test("lists for every operation the codes it answers with, each with its status and an example, all from the closed list", () => {
    const known: Record<string, { status: number }> = ERRORS;
    const everywhere = new Set<string>();
    for (const endpoint of endpoints) {
      const codes = responsesOf(endpoint).flatMap(([answered, { content }]) => {
        if (answered < 400) return [];
        const { schema, examples } = content["application/problem+json"];
        const listed: string[] = schema.allOf[1].properties.code.enum;
        for (const code of listed) {
          expect(known[code]?.status, code).toBe(answered);
          expect(examples[code].value).toMatchObject({ code, status: answered, type: `${BASE_URL}/docs/errors#${code}` });
          expect(examples[code].value.errors[0].code).toBe(code);
        }
        return listed;
      });
      expect(codes).toEqual(
        expect.arrayContaining(["auth.api_key_invalid", "project_environment.not_found", "request.invalid", "internal_error"]),
      );
      for (const code of codes) everywhere.add(code);
    }
    const ofItems = document.components.schemas.EventError.properties.code.enum;
    const ofRequests = Object.keys(known).filter((code) => code !== "route.not_found");
    expect([...new Set([...everywhere, ...ofItems])].toSorted()).toEqual(ofRequests.toSorted());
    for (const code of ofItems) expect([200, 400]).toContain(known[code]?.status);
  });

  test("describes the headers of answers", () => {
    for (const endpoint of endpoints) {
      for (const [answered, response] of responsesOf(endpoint)) {
        const names = Object.keys(response.headers);
        if (answered === 401) expect(names).toEqual(["WWW-Authenticate"]);
        else expect(names).toContain("X-Sandbox-Time");
        expect(names.includes("Retry-After")).toBe([429, 503].includes(answered));
      }
    }
  });

  test("has a width for every integer and none for exact numbers; instants are date-time, ids uuid, images uri", () => {
    const isOf = (type: string) => (schema: any) => [schema.type].flat().includes(type);
    const all = members(document);
    const integers = all.filter(([, schema]) => isOf("integer")(schema));
    const numbers = all.filter(([, schema]) => isOf("number")(schema));
    expect([integers.length > 10, numbers.length > 3]).toEqual([true, true]);
    for (const [name, { format }] of integers) expect(format, name).toMatch(/^int(32|64)$/);
    for (const [name, { format }] of numbers) expect(format, name).toBeUndefined();
    for (const [name, schema] of all) {
      if (/AtUtc$|^occurredAt$|UntilUtc$/.test(name)) expect(schema.format, name).toBe("date-time");
      if (/^(objective|collection|transaction|event|source|occurrence|delivery)Id$/.test(name)) expect(schema.format, name).toBe("uuid");
    }
    expect(document.components.schemas.Mission.properties.images.additionalProperties).toEqual({ type: "string", format: "uri" });
  });

  test("distinguishes tagged values by their type", () => {
    const { oneOf, discriminator } = document.components.schemas.TaggedValue;
    expect(discriminator.propertyName).toBe("type");
    expect(Object.keys(discriminator.mapping).toSorted()).toEqual(["boolean", "collection", "dateTime", "number", "string"]);
    expect(oneOf.map(({ $ref }: any) => $ref).toSorted()).toEqual(Object.values(discriminator.mapping).toSorted());
    for (const [type, $ref] of Object.entries(discriminator.mapping)) {
      expect(resolved({ $ref })).toMatchObject({
        properties: { type: { const: type } },
        required: ["type", type === "collection" ? "items" : "value"],
      });
    }
  });

  test("has the members of a mission as the specification lists them, all required", () => {
    const { Mission, Progress } = document.components.schemas;
    expect(Progress.required).toEqual(["kind", "actual", "operator", "target", "fraction"]);
    expect(Object.keys(Mission.properties)).toEqual([
      "missionKey",
      "name",
      "description",
      "images",
      "status",
      "optInMode",
      "isAccepted",
      "occurrenceNumber",
      "objectives",
      "rewards",
      "startedAtUtc",
      "acceptedAtUtc",
      "completedAtUtc",
      "availableUntilUtc",
    ]);
    expect(Mission.required).toEqual(Object.keys(Mission.properties));
  });

  test("allows null wherever the service takes or answers it, and the largest balance", async () => {
    const backend = await service.sandbox(shop(mission("one")));
    const { json } = await backend.post("/v1/players", { playerId: "ann", displayName: null, timeZoneId: null });
    expect(json).toMatchObject({ displayName: null, timeZoneId: null });
    expect((await backend.post("/v1/missions", { playerId: "ann", take: null, includeCompleted: null, languageCode: "" })).status).toBe(
      200,
    );
    expect((await backend.adjust("ann", 9007199254740991, { idempotencyKey: null })).json.balance).toBe(9007199254740991);
  });
});

test("every example of a request is accepted unchanged, in the order of the reference", async () => {
  const backend = await service.sandbox({
    ...shop(mission("coffee_lover", { optIn: "Manual" })),
    attributes: [
      { key: "tier", name: "Tier", type: "String" },
      { key: "age", name: "Age", type: "Number" },
    ],
    baseCurrency: "EUR",
    metrics: [{ key: "spend", name: "Spend", kind: "Currency", properties: [{ key: "channel", type: "String" }] }],
    leaderboards: [board("top_spenders")],
    missionCollections: [{ key: "first_steps", name: "First steps", missions: ["coffee_lover"] }],
    marketplaceItems: [listing("coffee_voucher", { priceInPoints: 50 })],
    marketplaceCollections: [{ key: "winter", name: "Winter", items: ["coffee_voucher"] }],
  });
  for (const { method, path, operation } of endpoints) {
    const of = (place: string): [string, string][] =>
      operation.parameters.filter((one: any) => one.in === place).map(({ name, example }: any) => [name, String(example)]);
    const filled = of("path").reduce((inner, [name, value]) => inner.replace(`{${name}}`, encodeURIComponent(value)), path);
    const query = new URLSearchParams(of("query")).toString();
    const body = operation.requestBody?.content["application/json"].example;
    const reply = await backend.call(method.toUpperCase(), query ? `${filled}?${query}` : filled, { body });
    expect([reply.status, reply.json?.rejected ?? 0], `${method} ${path}: ${reply.text}`).toEqual([
      path.endsWith("/accept") ? 204 : 200,
      0,
    ]);
  }
  await backend.applied();
});

describe("the webhooks of the reference", () => {
  test("are those that an endpoint can subscribe to, with an example each", () => {
    const events = webhooks.map(({ path }) => path);
    expect(subscriptionProblems(events)).toEqual([]);
    for (const event of events) expect(subscriptionProblems([`${event}x`])[0]).toContain(event);
    for (const { path, operation } of webhooks) expect(operation.requestBody.content["application/json"].example.event).toBe(path);
  });

  test("equal real deliveries: a completion, and items with a value of every type", async () => {
    const { received, url, close } = await startReceiver();
    const rewards = [
      points(5),
      item("free_coffee", exact("12345678901234567890.12345678")),
      item("voucher", "GIFT-1"),
      item("early_entry", true),
      item("table_at", "2026-01-31T09:00:00Z"),
      item("cup_colours", ["red", 2, true]),
    ];
    const backend = await service.sandbox(shop(mission("all", { rewards })));
    await backend.subscribe(url);
    await backend.missions("ann");
    await backend.play({ playerId: "ann" });
    await until(() => received.length === rewards.length);
    expect(received.flatMap((one) => service.conformance.ofWebhook(one))).toEqual([]);
    const types = received.map(({ body }) => JSON.parse(body).data.valueType ?? "mission");
    expect(types.toSorted()).toEqual(["Boolean", "Collection", "DateTime", "Number", "String", "mission"]);
    await close();
  });

  test("reject another version, type or event, a member that they do not know, and a missing header", () => {
    const [{ operation }] = webhooks as [Operation];
    const { example } = operation.requestBody.content["application/json"];
    const given = Object.fromEntries(operation.parameters.map(({ name, example: value }: any) => [name.toLowerCase(), value]));
    const judge = (body: object, more: object = {}) =>
      service.conformance.ofWebhook({ headers: { ...given, ...more }, body: JSON.stringify(body) });
    expect(judge(example)).toEqual([]);
    expect(judge({ ...example, version: 2 })).not.toEqual([]);
    expect(judge({ ...example, more: 1 })).not.toEqual([]);
    expect(judge({ ...example, data: { ...example.data, occurrenceId: "1" } })).not.toEqual([]);
    expect(judge(example, { "x-service-event": "ping" })).not.toEqual([]);
    expect(judge(example, { "webhook-signature": undefined })).not.toEqual([]);
  });
});
