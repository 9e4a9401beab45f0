import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../server/kernel/errors.ts";
import { exchange } from "../http.ts";
import { BASE_URL, startService } from "../listening.ts";

const service = await startService();
const { status, headers, text, json: document } = await exchange(service.port, "GET", "/v1/openapi.json");
const operations: [string, string, any][] = Object.entries<any>(document.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]): [string, string, any] => [method, path, operation]),
);

describe("GET /v1/openapi.json", () => {
  test("is a valid OpenAPI 3.1 document about this address", async () => {
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.servers).toEqual([{ url: BASE_URL }]);
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  });

  test("describes every endpoint, and no other", () => {
    expect(operations.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual([
      "get /v1/points",
      "get /v1/points/transactions",
      "post /v1/events",
      "post /v1/missions",
      "post /v1/missions/{missionKey}/accept",
      "post /v1/players",
      "post /v1/points/adjustments",
    ]);
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has query parameters in PascalCase and bodies in camelCase, with what is required", () => {
    for (const [method, path, { parameters = [], requestBody }] of operations) {
      const inQuery = parameters.filter((one: any) => one.in === "query").map((one: any) => one.name);
      for (const name of inQuery) expect(name).toMatch(/^[A-Z]/);
      if (method === "get") expect(inQuery).toContain("PlayerId");
      else {
        const { schema } = requestBody.content["application/json"];
        for (const name of Object.keys(schema.properties)) expect(name).toMatch(/^[a-z]/);
        expect(schema.required).toContain(path === "/v1/events" ? "events" : "playerId");
      }
    }
  });

  test("asks for the key as a bearer", () => {
    const [scheme] = Object.values<any>(document.components.securitySchemes);
    expect(scheme).toMatchObject({ type: "http", scheme: "bearer" });
    expect(document.security).toHaveLength(1);
  });

  test("lists for every operation the codes it answers with, each with its status, all from the closed list", () => {
    const codesOf = (operation: any) =>
      Object.entries<any>(operation.responses).flatMap(([code, response]) =>
        Number(code) < 400 ? [] : enumsIn(response.content["application/problem+json"].schema).map((one) => [one, Number(code)] as const),
      );
    const known: Record<string, { status: number }> = ERRORS;
    for (const [, path, operation] of operations) {
      const codes = codesOf(operation);
      expect(
        codes.map(([code]) => code),
        path,
      ).toContain("auth.api_key_invalid");
      for (const [code, answered] of codes) expect(known[code]?.status, code).toBe(answered);
    }
    const everywhere = new Set(operations.flatMap(([, , operation]) => codesOf(operation).map(([code]) => code)));
    const ofRequests = Object.entries(known).filter(([code, error]) => error.status >= 400 && code !== "route.not_found");
    expect([...everywhere].toSorted()).toEqual(ofRequests.map(([code]) => code).toSorted());
  });

  test("has numbers as numbers, instants as date-time and ids as uuid", () => {
    const { Progress, Mission, TaggedValue } = document.components.schemas;
    expect(JSON.stringify(TaggedValue)).toContain('"type":"number"');
    expect(Progress.properties.fraction.type).toEqual(["number", "null"]);
    expect(JSON.stringify(Mission.properties.startedAtUtc)).toContain('"format":"date-time"');
    expect(text).toContain('"format":"uuid"');
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
});

/** All values of the enums of a schema's `code`. */
function enumsIn(node: any): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries<any>(node).flatMap(([name, value]) => (name === "code" ? (value.enum ?? []) : enumsIn(value)));
}
