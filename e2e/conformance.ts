import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Reply } from "./http.ts";

/** Validates an exchange against the service's own OpenAPI document: a line per violation. */
export interface Conformance {
  /** Status, headers, content type and body must be documented for the operation, a problem by its code, and unknown members are errors. */
  ofAnswer(method: string, path: string, reply: Reply): string[];
  /** An accepted body must be one that the document allows. */
  ofBody(method: string, path: string, body: unknown): string[];
  /** The document must describe each request to an endpoint among the webhooks, with every header and no unknown member. */
  ofWebhook(received: { headers: Reply["headers"]; body: string }): string[];
}

interface Operation {
  template: string;
  pattern: RegExp;
  byMethod: any;
}

/** The path to a part of the document. */
type Steps = readonly string[];

/** Cached by the document's text: test files of a worker share modules, so each compiles the same schemas only once. */
const made = new Map<string, Conformance>();

export function conformanceTo(document: any): Conformance {
  const text = JSON.stringify(document);
  const conformance = made.get(text) ?? makeConformance(document);
  made.set(text, conformance);
  return conformance;
}

function makeConformance(document: any): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "open").addSchema(closed(document), "closed");
  const operations = Object.entries<any>(document.paths).map(([template, byMethod]): Operation => {
    return { template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]*")}(?<!/)$`), byMethod };
  });
  const find = (path: string) => operations.find(({ pattern }) => pattern.test(path.split("?")[0]!));
  const compiled = new Map<string, ValidateFunction>();

  /** A part of the document and its real location. */
  function follow(steps: Steps): { steps: Steps; part: any } {
    const part = steps.reduce<any>((inner, step) => inner?.[step], document);
    return part?.$ref ? follow((part.$ref as string).split("/").slice(1)) : { steps, part };
  }

  function violations(where: string, base: "open" | "closed", steps: Steps, value: unknown): string[] {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const id = `${base}#/${pointer}`;
    const validate = compiled.get(id) ?? ajv.compile({ $ref: id });
    compiled.set(id, validate);
    const errors = validate(value) ? [] : validate.errors!;
    return errors.map(({ instancePath, message, params }) => `${where}: ${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  function headerViolations(where: string, described: Steps, headers: Reply["headers"]): string[] {
    return Object.keys(follow(described).part ?? {}).flatMap((name) => {
      const { steps, part } = follow([...described, name]);
      const value = headers[name.toLowerCase()];
      if (value === undefined) return part.required ? [`${where} without ${name}`] : [];
      return violations(`${where} ${name}`, "open", [...steps, "schema"], part.schema.type === "integer" ? Number(value) : value);
    });
  }

  return {
    ofAnswer(method, path, { status, headers, text, json }) {
      const found = find(path);
      const name = method.toLowerCase();
      const where = `${method} ${path} ${status}`;
      // The document leaves out errors that occur before routing.
      if (!found?.byMethod[name] && REFUSED_BEFORE_ROUTING.has(json?.code)) return [];
      const { steps, part } = follow(["paths", found?.template ?? path, name, "responses", String(status)]);
      if (!part) return [`${where} is not described`];
      const ofHeaders = headerViolations(where, [...steps, "headers"], headers);
      if (status === 204) return text === "" && part.content === undefined ? ofHeaders : [`${where} with a body`];
      const type = headers["content-type"] ?? "";
      if (!part.content?.[type]) return [`${where} as ${type} is not described`];
      return [...ofHeaders, ...violations(where, "closed", [...steps, "content", type, "schema"], json)];
    },
    ofBody(method, path, body) {
      const steps = ["paths", find(path)!.template, method.toLowerCase(), "requestBody", "content", "application/json", "schema"];
      return violations(`the body of ${method} ${path}`, "open", steps, body);
    },
    ofWebhook({ headers, body }) {
      const json = JSON.parse(body);
      const { steps, part } = follow(["webhooks", json.event, "post"]);
      if (!part) return [`the webhook ${json.event} is not described`];
      const ofHeaders = (part.parameters as any[]).flatMap(({ name }, index) =>
        violations(`the header ${name}`, "open", [...steps, "parameters", String(index), "schema"], headers[name.toLowerCase()]),
      );
      return [...ofHeaders, ...violations(json.event, "closed", [...steps, "requestBody", "content", "application/json", "schema"], json)];
    },
  };
}

const REFUSED_BEFORE_ROUTING = new Set([
  "route.not_found",
  "auth.api_key_invalid",
  "project_environment.not_found",
  "rate_limit.concurrency_exceeded",
]);

/** The document with all objects closed to undocumented members; parts of an `allOf` stay open, as they complete each other. */
function closed(node: any, isPart = false): any {
  if (Array.isArray(node)) return node.map((one) => closed(one));
  if (typeof node !== "object" || node === null) return node;
  const copy: any = {};
  for (const [name, value] of Object.entries<any>(node)) {
    copy[name] = name === "allOf" ? value.map((part: any) => closed(part, true)) : closed(value);
  }
  const isObject = typeof node.properties === "object" && node.type === "object";
  return isObject && !isPart && node.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}
