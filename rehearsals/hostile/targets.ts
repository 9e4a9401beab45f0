import { traverseContractProcedures } from "@orpc/server";
import { z } from "zod";
import { type DashboardMeta, ORDINARY_BODY } from "../../server/api/access.ts";
import { MAX_FORM_BYTES, MAX_BODY_BYTES } from "../../server/api/body.ts";
import { dashboardRouter } from "../../server/api/rpc/router.ts";
import { router } from "../../server/api/v1/router.ts";

/** The parts of a JSON schema that bodies are generated from. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** A route, procedure or page of the service. */
export interface Target {
  /** Its name in figures and findings: "POST /v1/events". */
  name: string;
  kind: "v1" | "rpc" | "page";
  method: string;
  /** With parameters in braces. */
  path: string;
  /** Names of query parameters. */
  query: string[];
  /** The JSON body; null if none is accepted. */
  schema: Schema | null;
  /** Bytes of the largest body. */
  largest: number;
}

const schemaOf = (schema: unknown): Schema =>
  schema instanceof z.ZodType ? (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema) : { type: "object" };

/** Every endpoint of the public API, from its router, whose inputs combine path parameters, query and body. */
function publicTargets(): Target[] {
  const found: Target[] = [];
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { route, inputSchema } = contract["~orpc"];
    const [method, path] = [route.method ?? "POST", route.path ?? "/"];
    const schema = schemaOf(inputSchema);
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
    const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name));
    const takesBody = method !== "GET";
    found.push({
      name: `${method} ${path}`,
      kind: "v1",
      method,
      path,
      query: takesBody ? [] : rest.map(([name]) => name),
      schema: takesBody ? { ...schema, properties: Object.fromEntries(rest) } : null,
      largest: MAX_BODY_BYTES,
    });
  });
  return found;
}

/** Calls that would end the run itself; other tests cover them. */
const ENDS_THE_RUN = new Set(["/rpc/account/endSession", "/rpc/members/leave", "/rpc/members/remove", "/rpc/members/changeRole"]);

/** Every procedure of the dashboard, from its router. */
function dashboardTargets(): Target[] {
  const found: Target[] = [];
  traverseContractProcedures({ router: dashboardRouter, path: [] }, ({ contract, path: steps }) => {
    const { meta, inputSchema } = contract["~orpc"];
    const path = `/rpc/${steps.join("/")}`;
    if (ENDS_THE_RUN.has(path)) return;
    const schema: Schema = { type: "object", properties: { json: schemaOf(inputSchema) }, required: ["json"] };
    const largest = (meta as DashboardMeta).largestBody ?? ORDINARY_BODY;
    found.push({ name: `POST ${path}`, kind: "rpc", method: "POST", path, query: [], schema, largest });
  });
  return found;
}

const PAGES = [
  "/",
  "/sign-in",
  "/sign-in/forgotten",
  "/invitation/{token}",
  "/password-reset/{token}",
  "/dashboard/{project}/sandbox/missions",
  "/docs/errors",
  "/images/{id}",
  "/_next/image",
  "/api/auth/session",
  "/api/auth/callback/credentials",
  "/api/auth/{action}",
  "/v1/openapi.json",
  "/rpc",
  "/{nothing}",
];

const pageTargets = (): Target[] =>
  PAGES.flatMap((path) =>
    ["GET", "POST"].map((method): Target => {
      const schema = method === "POST" ? { type: "object" } : null;
      return {
        name: `${method} ${path}`,
        kind: "page",
        method,
        path,
        query: ["url", "from", "callbackUrl"],
        schema,
        largest: MAX_FORM_BYTES,
      };
    }),
  );

export const listTargets = (): Target[] => [...publicTargets(), ...dashboardTargets(), ...pageTargets()];
