import { StandardOpenAPIMatcher } from "@orpc/openapi/standard";
import { type AnyProcedure, type AnyRouter, createProcedureClient, Procedure, traverseContractProcedures } from "@orpc/server";
import { z } from "zod";
import { type ApiMeta, namesInPath } from "./contract.ts";
import type { ApiContext } from "./context.ts";
import { explainInput } from "./problems.ts";
import { type QueryParameters, queryParameters } from "./query.ts";

/** An endpoint, ready to be called. */
export interface Endpoint {
  /** Its path with the names of its parameters, for the log. */
  template: string;
  successStatus: number;
  takesBody: boolean;
  query: QueryParameters;
  textIsJudgedPerItem: boolean;
  /** Validates the input and runs the procedure; what is wrong with the input is thrown as a Problem. */
  call(input: unknown, context: ApiContext): Promise<unknown>;
}

export interface Found {
  endpoint: Endpoint;
  parameters: Record<string, string> | undefined;
}

export interface Routes {
  find(method: string, path: string): Promise<Found | null>;
}

/**
 * The endpoints of a router by method and path. The compiler checks answers against the contract; a check at run time (half the cost of
 * writing the JSON) could only turn an answer into a fault. Tests turn it on.
 */
export function routesOf(router: AnyRouter, { checkOutputs = false } = {}): Routes {
  const matcher = new StandardOpenAPIMatcher();
  matcher.init(router);
  const endpoints = new Map<string, Endpoint>();
  traverseContractProcedures({ router, path: [] }, ({ contract, path }) => {
    endpoints.set(path.join("."), endpointOf(contract as AnyProcedure, checkOutputs));
  });
  return {
    async find(method, path) {
      // The matcher passes over an empty last segment; here it makes another path.
      if (path.endsWith("/")) return null;
      const match = await matcher.match(method === "HEAD" ? "GET" : method, path as `/${string}`);
      const endpoint = match && endpoints.get(match.path.join("."));
      return endpoint ? { endpoint, parameters: match.params } : null;
    },
  };
}

function endpointOf(procedure: AnyProcedure, checkOutputs: boolean): Endpoint {
  const { route, meta, inputSchema, outputSchema } = procedure["~orpc"];
  const template = route.path ?? "/";
  const takesBody = route.method !== "GET";
  const inPath = namesInPath(template);
  const places = { schema: inputSchema, isParameter: (name: string) => !takesBody || inPath.has(name) };
  const run = createProcedureClient(
    new Procedure({ ...procedure["~orpc"], outputSchema: checkOutputs ? outputSchema : undefined }) as AnyProcedure,
    { context: (context: object) => context },
  );
  return {
    template,
    successStatus: route.successStatus ?? 200,
    takesBody,
    query: queryParameters(takesBody ? [] : queryNames(inputSchema, inPath)),
    textIsJudgedPerItem: (meta as ApiMeta).textIsJudgedPerItem ?? false,
    async call(input, context) {
      try {
        return await run(input, { context });
      } catch (error) {
        throw explainInput(error, places);
      }
    },
  };
}

function queryNames(schema: unknown, inPath: ReadonlySet<string>) {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter(([name]) => !inPath.has(name))
    .map(([name, field]) => ({ name, isList: isList(field) }));
}

const isList = (schema: unknown): boolean => schema instanceof z.ZodArray || (schema instanceof z.ZodOptional && isList(schema.unwrap()));
