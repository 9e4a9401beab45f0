import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Reply } from "./http.ts";

/* eslint-disable @typescript-eslint/no-explicit-any -- the document is read as it comes */

/** What does not fit the description, one line each; nothing for an answer that is as described. */
export type Conformance = (method: string, path: string, reply: Reply) => string[];

/**
 * Judges answers by the service's own OpenAPI document: status, content type and body must be described for the operation,
 * a problem by its very code, and an answer has no member that the document does not know.
 */
export function conformanceTo(document: any): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("int32", { type: "number", validate: Number.isInteger });
  ajv.addSchema(closed(document), "api");
  const operations = Object.entries<any>(document.paths).map(([template, operation]) => ({ template, pattern: patternOf(template), operation }));
  const compiled = new Map<string, ValidateFunction>();

  const validator = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };

  return (method, path, { status, headers, text, json }) => {
    const found = operations.find(({ pattern }) => pattern.test(path.split("?")[0]!));
    const name = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = found?.operation[name];
    // Paths that the document does not know, and what is refused before it is known which operation is meant.
    if (!operation) return json?.code === "route.not_found" || json?.code === "auth.api_key_invalid" ? [] : [`${method} ${path} is not described`];
    const described = operation.responses[status];
    if (!described) return [`${method} ${path}: ${status} is not described`];
    if (status === 204 || method === "HEAD") return text === "" && described.content === undefined ? [] : [`${method} ${path}: ${status} with a body`];
    const type = headers["content-type"] ?? "";
    if (!described.content?.[type]) return [`${method} ${path}: ${status} as ${type} is not described`];
    const steps = ["paths", found!.template, name, "responses", String(status), "content", type, "schema"];
    const validate = validator(steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join(""));
    if (validate(json)) return [];
    return validate.errors!.map(({ instancePath, message, params }) => `${method} ${path}: ${instancePath} ${message} ${JSON.stringify(params)}`);
  };
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]*")}$`);

/** The document with every object closed to members it does not describe; parts of an `allOf` are left open, as they complete each other. */
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
