import { publicAddress } from "#server/process/base-url.ts";
import { openApiDocument } from "#server/api/openapi.ts";

/** The part of our schemas that the documentation reads, of the OpenAPI document and of the definitions file. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface Content {
  schema: Schema & { allOf?: Schema[] };
  example?: unknown;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response>;
}

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response>; headers: Record<string, Parameter> };
}

export interface Endpoint {
  method: "GET" | "POST" | "PUT";
  path: string;
  operation: Operation;
}

let made: { baseUrl: string; document: Document } | null = null;

/** The document that /v1/openapi.json answers with. */
export function apiDocument(): Document {
  const baseUrl = publicAddress();
  if (made?.baseUrl !== baseUrl) made = { baseUrl, document: JSON.parse(openApiDocument(baseUrl)) as Document };
  return made.document;
}

/** The endpoints in the order of the contracts; of one tag, or all. */
export const endpointsOf = (tag?: string): Endpoint[] =>
  Object.entries(apiDocument().paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tag === undefined || tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase() as Endpoint["method"], path, operation })),
  );

/** Resolves a reference into the components. */
export const resolve = (schema: Schema): Schema => {
  const name = schemaName(schema);
  return name === undefined ? schema : { ...apiDocument().components.schemas[name], description: schema.description };
};

export const schemaName = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1);

export const jsonOf = (content: Record<string, Content> | undefined): Content | undefined => content?.["application/json"];

export const codesOf = ({ responses }: Operation): [status: string, codes: string[]][] =>
  Object.entries(responses)
    .filter(([status]) => /^[45]\d\d$/.test(status))
    .map(([status, response]) => [status, codesIn(response)]);

function codesIn({ $ref, content }: Response): string[] {
  if ($ref) return codesIn(apiDocument().components.responses[$ref.split("/").at(-1)!]!);
  const ofCode = content?.["application/problem+json"]?.schema.allOf?.[1]?.properties?.["code"];
  return (ofCode?.enum ?? []) as string[];
}

/** Errors common to all endpoints: documented once, on the page of conventions. */
export function commonCodes(): ReadonlySet<string> {
  const [first, ...others] = endpointsOf().map(({ operation }) => codesOf(operation).flatMap(([, codes]) => codes));
  return new Set(first?.filter((code) => others.every((codes) => codes.includes(code))));
}
