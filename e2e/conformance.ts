import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Reply } from "./http.ts";

/** Judges an exchange by the service's own OpenAPI document: what does not fit, one line each. */
export interface Conformance {
  /** Status, content type and body have to be described for the operation, a problem by its very code, and no member may be unknown. */
  ofAnswer(method: string, path: string, reply: Reply): string[];
  /** A body that the service has taken has to be one that the document tells of. */
  ofBody(path: string, body: unknown): string[];
}

interface Operation {
  template: string;
  pattern: RegExp;
  byMethod: any;
}

export function conformanceTo(document: any): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("int32", { type: "number", validate: Number.isInteger });
  ajv.addSchema(document, "open").addSchema(closed(document), "closed");
  const operations = Object.entries<any>(document.paths).map(([template, byMethod]): Operation => {
    return { template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]*")}$`), byMethod };
  });
  const find = (path: string) => operations.find(({ pattern }) => pattern.test(path.split("?")[0]!));
  const compiled = new Map<string, ValidateFunction>();

  function violations(where: string, steps: string[], value: unknown): string[] {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const [root, ...rest] = pointer.split("/");
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${root}#/${rest.join("/")}` });
    compiled.set(pointer, validate);
    const errors = validate(value) ? [] : validate.errors!;
    return errors.map(({ instancePath, message, params }) => `${where}: ${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  return {
    ofAnswer(method, path, { status, headers, text, json }) {
      const found = find(path);
      const name = method.toLowerCase();
      const where = `${method} ${path} ${status}`;
      const described = found?.byMethod[name]?.responses[status];
      // What is refused before it is known which operation is meant has no place in the document.
      if (!found?.byMethod[name] && ["route.not_found", "auth.api_key_invalid"].includes(json?.code)) return [];
      if (!described) return [`${where} is not described`];
      if (status === 204) return text === "" && described.content === undefined ? [] : [`${where} with a body`];
      const type = headers["content-type"] ?? "";
      if (!described.content?.[type]) return [`${where} as ${type} is not described`];
      return violations(where, ["closed", "paths", found!.template, name, "responses", String(status), "content", type, "schema"], json);
    },
    ofBody(path, body) {
      const steps = ["open", "paths", find(path)!.template, "post", "requestBody", "content", "application/json", "schema"];
      return violations(`the body of ${path}`, steps, body);
    },
  };
}

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
