import type { AnyContractProcedure } from "@orpc/contract";
import type { OpenAPI } from "@orpc/openapi";
import type { z } from "zod";
import type { ErrorCode } from "../model/kernel/errors.ts";
import { type DescribedWebhook, webhookHeaders } from "../model/webhooks/contract.ts";
import { codesOfField, namesInPath } from "../model/contract/v1.ts";
import { responseHeaders, problemResponses, type OpenApiRefusal } from "./openapi-responses.ts";
import type { Schema, Schemas } from "./openapi-schemas.ts";

/** An OpenAPI operation from an endpoint's contract; `baseUrl` is for the examples. */
export function describeEndpoint({ "~orpc": endpoint }: AnyContractProcedure, schemas: Schemas, baseUrl: string): OpenAPI.OperationObject {
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

/** A webhook, for which the receiver answers. */
export function describeWebhook(event: string, { body, ...texts }: DescribedWebhook, schemas: Schemas): OpenAPI.OperationObject {
  return {
    ...texts,
    tags: ["Webhooks"],
    security: [],
    parameters: parametersIn(() => "header", schemas.of(webhookHeaders(event), "output"), schemas),
    requestBody: { required: true, content: schemas.contentOf(schemas.of(body, "output")) },
    responses: {
      "2XX": { description: "Delivered. The answer's body is not read." },
      "4XX": { description: "Ends the delivery at once, 408 and 429 apart." },
      default: {
        description: "Anything else, redirects among them, and no answer within 15 seconds: sent again later, eight times at most.",
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
