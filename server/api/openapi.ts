import type { OpenAPI } from "@orpc/openapi";
import { traverseContractProcedures } from "@orpc/server";
import { writeJson } from "../model/kernel/json.ts";
import { type DescribedWebhook, webhookHeaders, webhooksContract } from "../model/webhooks/contract.ts";
import { codesOfField, namesInPath, TAGS } from "../model/contract/v1.ts";
import {
  commonResponses,
  headersShape,
  type OpenApiRefusal,
  problemResponses,
  problemShape,
  responseHeaders,
} from "./openapi-responses.ts";
import { type Schema, Schemas } from "./openapi-schemas.ts";
import { contract } from "./v1/router.ts";
import type { AnyContractProcedure } from "@orpc/contract";
import type { z } from "zod";
import type { ErrorCode } from "../model/kernel/errors.ts";

const documents = new Map<string, string>();

/** The OpenAPI 3.1 document as JSON; generated once from the contracts that also validate requests. */
export function openApiDocument(baseUrl: string): string {
  const document = documents.get(baseUrl) ?? writeJson(describe(baseUrl));
  documents.set(baseUrl, document);
  return document;
}

const DESCRIPTION = `
Send what your players do, read back missions, points and rewards.

- **Authentication.** Every request carries \`Authorization: Bearer <API key>\`. The key selects Sandbox or Live; it belongs on your server only.
- **Players** are named by your own ids; the service never issues any.
- **Errors** are \`application/problem+json\` (RFC 9457). Switch on \`code\`: the texts may change, and new codes may come. All problems of a request are listed together.
- **Idempotency.** Where a body takes an \`idempotencyKey\`, the same request again is answered with the original result, and nothing is applied twice.
- **Numbers** are exact, with up to 20 digits before the decimal point and 8 after it; read them with a decimal type where every digit counts. Integers stay within ±(2^53 − 1).
- **Timestamps** are RFC 3339; those named \`…Utc\` are in UTC.
- **Unknown members** of bodies and unknown query parameters are ignored, and answers may gain members. Query parameters match in any case.
- **Concurrency.** An organization has at most 16 requests in flight and 8 waiting, Sandbox and Live together; further ones are answered with 429.
`.trim();

function describe(baseUrl: string): OpenAPI.Document {
  const schemas = new Schemas();
  schemas.of(problemShape, "output");
  return {
    openapi: "3.1.1",
    info: { title: "Engagement Service API", version: "1", description: DESCRIPTION },
    externalDocs: { description: "Every error code, and what to do about it.", url: `${baseUrl}/docs/errors` },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: describePaths(schemas, baseUrl),
    webhooks: describeWebhooks(schemas),
    components: {
      schemas: schemas.named,
      responses: commonResponses({ baseUrl, path: "/v1/points" }),
      headers: Object.fromEntries(schemas.parametersOf(schemas.of(headersShape, "output"))),
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "A project API key: `svc_sbox_…` or `svc_live_…`." } },
    },
  };
}

function describePaths(schemas: Schemas, baseUrl: string): Record<string, OpenAPI.PathItemObject> {
  const paths: Record<string, OpenAPI.PathItemObject> = {};
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure }) => {
    const { path = "/", method = "POST" } = procedure["~orpc"].route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeEndpoint(procedure, schemas, baseUrl) };
  });
  return paths;
}

function describeWebhooks(schemas: Schemas): Record<string, OpenAPI.PathItemObject> {
  const webhooks = Object.entries(webhooksContract).map(([event, webhook]) => [event, { post: describeWebhook(event, webhook, schemas) }]);
  return Object.fromEntries(webhooks) as Record<string, OpenAPI.PathItemObject>;
}

/** An OpenAPI operation from an endpoint's contract; `baseUrl` is for the examples. */
function describeEndpoint({ "~orpc": endpoint }: AnyContractProcedure, schemas: Schemas, baseUrl: string): OpenAPI.OperationObject {
  const { path: template = "/", method, operationId, summary, description, tags = [] } = endpoint.route;
  const { successStatus = 200, successDescription = "" } = endpoint.route;
  const input = schemas.of(endpoint.inputSchema as z.ZodType, "input");
  const inPath = namesInPath(template);
  const isParameter = (name: string) => method === "GET" || inPath.has(name);
  const isInBody = (name: string) => !isParameter(name);
  const exampleOf = (name: string) => String(schemas.exampleOf(input.properties![name] as Schema));
  const scene = { baseUrl, path: template.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)) };
  const refusals = refusalsOf(endpoint, (name) => (isParameter(name) ? { parameter: name } : { pointer: `#/${name}` }));
  return {
    operationId,
    summary,
    description,
    tags: [...tags],
    parameters: parametersIn((name) => (inPath.has(name) ? "path" : "query"), part(input, isParameter), schemas),
    requestBody: method === "GET" ? undefined : { required: true, content: schemas.contentOf(part(input, isInBody)) },
    responses: {
      [successStatus]: {
        description: successDescription,
        headers: responseHeaders(successStatus),
        content: successStatus === 204 ? undefined : schemas.contentOf(schemas.of(endpoint.outputSchema as z.ZodType, "output")),
      },
      ...problemResponses(refusals, scene),
    },
  };
}

/** A webhook as an operation that the receiver answers. */
function describeWebhook(event: string, { body, ...texts }: DescribedWebhook, schemas: Schemas): OpenAPI.OperationObject {
  return {
    ...texts,
    tags: ["Webhooks"],
    security: [],
    parameters: parametersIn(() => "header", schemas.of(webhookHeaders(event), "output"), schemas),
    requestBody: { required: true, content: schemas.contentOf(schemas.of(body, "output")) },
    responses: {
      "2XX": { description: "Delivered, whatever the answer says." },
      "4XX": { description: "Ends the delivery, except 408 and 429." },
      default: {
        description:
          "Anything else, redirects among them, and no complete answer within 15 seconds: sent again later, eight attempts in all.",
      },
    },
  };
}

/** Selects members of an object schema. */
function part({ properties = {}, required = [] }: Schema, isWanted: (name: string) => boolean): Schema {
  const wanted = Object.entries(properties).filter(([name]) => isWanted(name));
  return { type: "object", properties: Object.fromEntries(wanted), required: required.filter(isWanted) };
}

const parametersIn = (placeOf: (name: string) => string, object: Schema, schemas: Schemas): OpenAPI.ParameterObject[] =>
  schemas.parametersOf(object).map(([name, parameter]) => ({ name, in: placeOf(name), ...parameter }));

/** The endpoint's own codes and those of its fields. */
function refusalsOf(
  { errorMap, inputSchema }: AnyContractProcedure["~orpc"],
  placeOf: (name: string) => OpenApiRefusal["place"],
): OpenApiRefusal[] {
  const own = Object.keys(errorMap) as ErrorCode[];
  const ofFields = Object.keys((inputSchema as z.ZodObject).shape).flatMap((name) =>
    Object.values(codesOfField(inputSchema, name) ?? {}).map((code) => ({ code, place: placeOf(name) })),
  );
  return [...own.map((code) => ({ code, place: {} })), ...ofFields];
}
