import { type AnyContractProcedure } from "@orpc/contract";
import { type ConditionalSchemaConverter, type OpenAPI, OpenAPIGenerator } from "@orpc/openapi";
import { traverseContractProcedures } from "@orpc/server";
import { z } from "zod";
import { describeError, type ErrorCode } from "../kernel/errors.ts";
import { writeJson } from "../kernel/json.ts";
import { codesOfFields, jsonSchemaOf } from "./contract.ts";
import { contract } from "./router.ts";

const documents = new Map<string, Promise<string>>();

/** The machine-readable description of the API (api.md 9) as JSON, OpenAPI 3.1; made once from the contracts that requests are checked by. */
export function openApiDocument(baseUrl: string): Promise<string> {
  const document = documents.get(baseUrl) ?? describe(baseUrl).then(writeJson);
  documents.set(baseUrl, document);
  return document;
}

async function describe(baseUrl: string): Promise<OpenAPI.Document> {
  const named: Record<string, OpenAPI.SchemaObject> = { Problem: problemSchema() };
  const generator = new OpenAPIGenerator({ schemaConverters: [zodConverter(named)] });
  const document = await generator.generate(contract, {
    info: {
      title: "Engagement Service API",
      version: "1",
      description:
        "Send what your players do, read back missions, points and rewards. Every request carries `Authorization: Bearer <API key>`; the key selects Sandbox or Live. Errors are `application/problem+json` (RFC 9457): switch on `code`, the texts may change.",
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "A project API key: svc_sbox_… or svc_live_…" } },
    },
  });
  document.components = { ...document.components, schemas: named };
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure }) => {
    addProblems(operationOf(document, procedure), codesOf(procedure));
  });
  const { openapi, ...rest } = document;
  return { openapi, ...rest };
}

function operationOf({ paths }: OpenAPI.Document, { "~orpc": { route } }: AnyContractProcedure): OpenAPI.OperationObject {
  return paths![route.path!]![route.method!.toLowerCase() as "get"]!;
}

const codesOf = ({ "~orpc": { errorMap, inputSchema } }: AnyContractProcedure): ErrorCode[] => [
  ...new Set([...(Object.keys(errorMap) as ErrorCode[]), ...codesOfFields(inputSchema)]),
];

/** Lists every code an operation answers with, by status, in place of the generator's own error bodies. */
function addProblems(operation: OpenAPI.OperationObject, codes: readonly ErrorCode[]): void {
  const successes = Object.entries(operation.responses ?? {}).filter(([status]) => Number(status) < 400);
  for (const [status, response] of successes) if (status === "204") delete (response as OpenAPI.ResponseObject).content;
  const statuses = [...new Set(codes.map((code) => describeError(code).status))].sort((a, b) => a - b);
  const problems = statuses.map((status): [string, OpenAPI.ResponseObject] => [
    String(status),
    problemResponse(codes.filter((code) => describeError(code).status === status)),
  ]);
  operation.responses = Object.fromEntries([...successes, ...problems]);
}

function problemResponse(codes: readonly ErrorCode[]): OpenAPI.ResponseObject {
  const schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, { properties: { code: { enum: [...codes] } } }] };
  return {
    description: codes.map((code) => `\`${code}\`: ${describeError(code).meaning}`).join("\n\n"),
    content: { "application/problem+json": { schema: schema as OpenAPI.SchemaObject } },
  };
}

/** Zod's own JSON schemas, with those that have an id put once under the components. */
const zodConverter = (named: Record<string, unknown>): ConditionalSchemaConverter => ({
  condition: (schema) => schema instanceof z.ZodType,
  convert: (schema, { strategy }) => {
    const text = JSON.stringify(jsonSchemaOf(schema as z.ZodType, strategy)).replaceAll('"#/$defs/', '"#/components/schemas/');
    const root = JSON.parse(text, (name, value: unknown) => (name === "$defs" ? void Object.assign(named, value) : value)) as object;
    return [!(schema as z.ZodType).safeParse(undefined).success, root];
  },
});

function problemSchema(): OpenAPI.SchemaObject {
  const entry = z.object({
    code: z.string(),
    message: z.string(),
    pointer: z
      .string()
      .optional()
      .meta({ description: "JSON pointer into the body.", examples: ["#/playerId"] }),
    parameter: z.string().optional().meta({ description: "Name of the query or path parameter." }),
  });
  const schema = z.object({
    type: z.string().meta({ format: "uri" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: "The path of the request." }),
    code: z.string().meta({ description: "Stable: switch on it. That of the first entry of `errors`." }),
    traceId: z.string().meta({ description: "Stands in our logs; send it along when you ask us." }),
    errors: z.array(entry).min(1).meta({ description: "Every problem of the request." }),
  });
  return jsonSchemaOf(schema, "output") as OpenAPI.SchemaObject;
}
