import type { ShownRequest } from "../code/request.ts";
import { type Endpoint, jsonOf } from "./document.ts";

/** An example request from the contract: required path and query parameters, and the complete body. */
export function exampleRequest({ method, path, operation: { parameters, requestBody } }: Endpoint): ShownRequest {
  const exampleOf = (name: string) => encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example));
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => `${name}=${exampleOf(name)}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
  return { method, path: [filled, ...(query.length > 0 ? [query.join("&")] : [])].join("?"), body: jsonOf(requestBody?.content)?.example };
}
