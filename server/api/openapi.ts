import type { OpenAPI } from "@orpc/openapi";
import { traverseContractProcedures } from "@orpc/server";
import { writeJson } from "../model/kernel/json.ts";
import { webhooksContract } from "../model/webhooks/contract.ts";
import { TAGS } from "../model/contract/v1.ts";
import { describeEndpoint, describeWebhook } from "./openapi-operations.ts";
import { commonResponses, headersShape, problemShape } from "./openapi-responses.ts";
import { Schemas } from "./openapi-schemas.ts";
import { contract } from "./v1/router.ts";

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
- **Errors** are \`application/problem+json\` (RFC 9457). Switch on \`code\`: the texts may change, and new codes may come. Every problem of a request is listed at once.
- **Idempotency.** Where a body takes an \`idempotencyKey\`, the same request again is answered with the original result, and nothing is applied twice.
- **Numbers** are exact, with up to 20 digits before the decimal point and 8 after it; read them with a decimal type where every digit counts. Integers stay within ±(2^53 − 1).
- **Timestamps** are RFC 3339; those named \`…Utc\` are in UTC.
- **Unknown members** of bodies and unknown query parameters are ignored, and answers may gain members. Query parameters match in any case.
- **At once** an organization has 16 requests in flight and 8 waiting, Sandbox and Live together; what is beyond is answered with 429.
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
