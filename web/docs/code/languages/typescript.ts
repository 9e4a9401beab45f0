import { JSON_NOTATION, layOut, type Notation } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

const NOTATION: Notation = {
  ...JSON_NOTATION,
  name: (name) => `${/^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: `,
  last: ",",
};

/** For Node 24 or newer, Deno or Bun: `fetch` is part of them. */
export function typescriptOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const call = (options: readonly string[]) =>
    [
      `const response = await fetch(${JSON.stringify(baseUrl + path)}, {`,
      ...options.map((option) => `  ${option},`),
      "});",
      "console.log(response.status, await response.text());",
    ].join("\n");
  const authorization = "Authorization: `Bearer ${process.env.KEY}`";
  const verb = method === "GET" ? [] : [`method: "${method}"`];
  if (body === undefined) return call([...verb, `headers: { ${authorization} }`]);
  return call([
    ...verb,
    `headers: {\n    ${authorization},\n    "Content-Type": "application/json",\n  }`,
    `body: JSON.stringify(${layOut(body, NOTATION, "  ", 24)})`,
  ]);
}
