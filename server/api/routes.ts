import { StandardOpenAPIMatcher } from "@orpc/openapi/standard";
import type { AnySchema } from "@orpc/contract";
import { type AnyProcedure, type AnyRouter, traverseContractProcedures } from "@orpc/server";
import { z } from "zod";
import { type ApiMeta, namesInPath } from "../model/contract/v1.ts";
import type { ProblemEntry } from "../model/kernel/problem.ts";
import { isJsonObject } from "../model/kernel/values.ts";
import type { ApiContext } from "./context.ts";
import { refusedInput } from "./problems.ts";
import { type QueryParameters, queryParameters } from "./query.ts";

/** An endpoint, ready to be called. */
export interface Endpoint {
  /** Its path with parameter names, for the log. */
  template: string;
  successStatus: number;
  takesBody: boolean;
  query: QueryParameters;
  textIsJudgedPerItem: boolean;
  confirmsKey: boolean;
  /**
   * Validates the input and runs the procedure; an invalid input is thrown as a Problem, with the problems that were `found` while it was
   * read.
   */
  call(input: unknown, context: ApiContext, found: readonly ProblemEntry[]): Promise<unknown>;
}

/** The problems of an invalid input by the definitions; `valid` has the members that are right by themselves. */
export type ByDefinitions = (valid: Record<string, unknown>, context: ApiContext) => Promise<readonly ProblemEntry[]>;

export interface Found {
  endpoint: Endpoint;
  parameters: Record<string, string> | undefined;
}

export interface Routes {
  find(method: string, path: string): Promise<Found | null>;
}

/**
 * A router's endpoints by method and path. The compiler checks answers against the contract; a runtime check (half the cost of writing the
 * JSON) could only turn an answer into an error. Tests turn it on.
 */
export function routesOf(
  router: AnyRouter,
  { checkOutputs = false, judges = {} }: { checkOutputs?: boolean; judges?: Readonly<Record<string, ByDefinitions>> } = {},
): Routes {
  const matcher = new StandardOpenAPIMatcher();
  matcher.init(router);
  const endpoints = new Map<string, Endpoint>();
  /** Paths without parameters, by method and path: most requests match here. */
  const fixed = new Map<string, Found>();
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    const name = path.join(".");
    const endpoint = endpointOf(contract as AnyProcedure, checkOutputs, judges[name]);
    endpoints.set(name, endpoint);
    const { method } = contract["~orpc"].route;
    if (!endpoint.template.includes("{")) fixed.set(`${method} ${endpoint.template}`, { endpoint, parameters: undefined });
  });
  return {
    async find(method, path) {
      const known = fixed.get(`${method} ${path}`);
      if (known !== undefined) return known;
      // The matcher ignores an empty last segment; here it is a different path.
      if (path.endsWith("/")) return null;
      const match = await matcher.match(method === "HEAD" ? "GET" : method, path as `/${string}`);
      const endpoint = match && endpoints.get(match.path.join("."));
      return endpoint ? { endpoint, parameters: match.params } : null;
    },
  };
}

/**
 * oRPC's own client opens three spans and an interceptor for each call. Public API procedures have no middlewares and throw problems, so
 * their handlers are called directly.
 */
function endpointOf(procedure: AnyProcedure, checkOutputs: boolean, judge?: ByDefinitions): Endpoint {
  const { route, meta, inputSchema, outputSchema, handler, middlewares } = procedure["~orpc"];
  const template = route.path ?? "/";
  if (middlewares.length > 0) throw new Error(`${template} has middlewares, which are not called here.`);
  const takesBody = route.method !== "GET";
  const inPath = namesInPath(template);
  const places = { schema: inputSchema, isParameter: (name: string) => !takesBody || inPath.has(name) };
  const rest = { path: [], procedure, errors: {}, signal: undefined, lastEventId: undefined };
  return {
    template,
    successStatus: route.successStatus ?? 200,
    takesBody,
    query: queryParameters(takesBody ? [] : queryNames(inputSchema, inPath)),
    textIsJudgedPerItem: (meta as ApiMeta).textIsJudgedPerItem ?? false,
    confirmsKey: (meta as ApiMeta).confirmsKey ?? false,
    async call(sent, context, found) {
      const { value: input, issues } = await validated(inputSchema, sent);
      if (issues !== null || found.length > 0) {
        const byDefinitions = judge === undefined ? [] : await judge(validMembers(inputSchema, sent), context);
        throw refusedInput(found, issues ?? [], byDefinitions, sent, places);
      }
      const output: unknown = await handler({ ...rest, context, input });
      if (!checkOutputs) return output;
      const answer = await validated(outputSchema, output);
      if (answer.issues !== null) throw new Error(`${template} answers what its contract does not have: ${JSON.stringify(answer.issues)}`);
      return answer.value;
    },
  };
}

type Validated = { value: unknown; issues: null } | { value: null; issues: readonly z.core.$ZodIssue[] };

async function validated(schema: AnySchema | undefined, value: unknown): Promise<Validated> {
  if (schema === undefined) return { value, issues: null };
  const result = await schema["~standard"].validate(value);
  return result.issues ? { value: null, issues: result.issues as readonly z.core.$ZodIssue[] } : { value: result.value, issues: null };
}

function validMembers(schema: unknown, sent: unknown): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject) || !isJsonObject(sent)) return {};
  return Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      const { success, data } = field.safeParse(sent[name]);
      return success ? [[name, data]] : [];
    }),
  );
}

function queryNames(schema: unknown, inPath: ReadonlySet<string>) {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter(([name]) => !inPath.has(name))
    .map(([name, field]) => ({ name, isList: isList(field) }));
}

const isList = (schema: unknown): boolean => schema instanceof z.ZodArray || (schema instanceof z.ZodOptional && isList(schema.unwrap()));
