import type { OpenAPI } from "@orpc/openapi";
import { z } from "zod";
import { describeError, type ErrorCode } from "../model/kernel/errors.ts";
import { Problem, type ProblemEntry } from "../model/kernel/problem.ts";
import { count, timestamp } from "../model/contract/v1.ts";
import { problemBody } from "./problems.ts";

/** An operation's refusal: a code, and its pointer if that is always the same. */
export interface OpenApiRefusal {
  code: ErrorCode;
  place: Pick<ProblemEntry, "pointer" | "parameter">;
}

/** The path used in example problems. */
export interface ExampleProblem {
  baseUrl: string;
  path: string;
}

/** Response headers, besides those that HTTP clients handle themselves. */
export const headersShape = z.object({
  "X-Sandbox-Time": timestamp.optional().meta({ description: "The time of a Sandbox whose clock has been moved." }),
  "Retry-After": count.meta({ description: "After how many seconds to send the request again.", examples: [1] }),
  "WWW-Authenticate": z.literal("Bearer").meta({ description: "How to authenticate." }),
});

const HEADERS_OF_STATUS: Record<number, (keyof typeof headersShape.shape)[]> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After", "X-Sandbox-Time"],
  503: ["Retry-After", "X-Sandbox-Time"],
};

export const responseHeaders = (status: number): Record<string, OpenAPI.ReferenceObject> =>
  Object.fromEntries((HEADERS_OF_STATUS[status] ?? ["X-Sandbox-Time"]).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const entry = z.object({
  code: z.string(),
  message: z.string().meta({ description: "For people; it may change." }),
  pointer: z.string().optional().meta({ description: "JSON pointer into the body, such as `#/playerId`." }),
  parameter: z.string().optional().meta({ description: "Name of the query or path parameter." }),
});

export const problemShape = z
  .object({
    type: z.string().meta({ format: "uri", description: "Where the code is explained." }),
    title: z.string(),
    status: count,
    detail: z.string().meta({ description: "The message of the first entry of `errors`." }),
    instance: z.string().meta({ description: "The path of the request." }),
    code: z.string().meta({ description: "Stable: switch on it. That of the first entry of `errors`." }),
    traceId: z.string().meta({ description: "Our logs contain it. Include it when you contact us." }),
    errors: z.array(entry).min(1).meta({ description: "Every problem of the request." }),
  })
  .meta({ id: "Problem" });

/** Refusals common to all endpoints, each the only one of its status. */
const COMMON: Record<number, { name: string; code: ErrorCode }> = {
  401: { name: "Unauthorized", code: "auth.api_key_invalid" },
  408: { name: "RequestTimeout", code: "request.timeout" },
  429: { name: "TooManyRequests", code: "rate_limit.concurrency_exceeded" },
  500: { name: "InternalError", code: "internal_error" },
  503: { name: "Unavailable", code: "service.unavailable" },
};

export const commonResponses = (scene: ExampleProblem): Record<string, OpenAPI.ResponseObject> =>
  Object.fromEntries(Object.values(COMMON).map(({ name, code }) => [name, describeProblems([{ code, place: {} }], scene)]));

/** An operation's problem responses, by status. */
export function problemResponses(refusals: readonly OpenApiRefusal[], scene: ExampleProblem): OpenAPI.ResponsesObject {
  const byStatus = Object.groupBy(refusals, ({ code }) => describeError(code).status);
  const responses = Object.entries(byStatus).map(([status, group = []]) => {
    const common = COMMON[Number(status)];
    return [status, common ? { $ref: `#/components/responses/${common.name}` } : describeProblems(group, scene)];
  });
  return Object.fromEntries(responses) as OpenAPI.ResponsesObject;
}

/** The response of one status, with every code that it may have. */
function describeProblems(refusals: readonly OpenApiRefusal[], scene: ExampleProblem): OpenAPI.ResponseObject {
  const codes = [...new Set(refusals.map(({ code }) => code))];
  const ofCodes: OpenAPI.SchemaObject = { type: "object", properties: { code: { type: "string", enum: codes } }, required: ["code"] };
  return {
    description: codes.map((code) => `\`${code}\`: ${describeError(code).meaning}`).join("\n\n"),
    headers: responseHeaders(describeError(codes[0]!).status),
    content: {
      "application/problem+json": {
        schema: { allOf: [{ $ref: "#/components/schemas/Problem" }, ofCodes] },
        examples: Object.fromEntries(refusals.map((refusal) => [refusal.code, exampleOf(refusal, scene)])),
      },
    },
  };
}

function exampleOf({ code, place }: OpenApiRefusal, scene: ExampleProblem): OpenAPI.ExampleObject {
  const { title, meaning } = describeError(code);
  const problem = new Problem([{ code, message: meaning, ...place }]);
  return { summary: title, value: problemBody(problem, { ...scene, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" }) };
}
