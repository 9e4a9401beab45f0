import { JSON_NOTATION, layOut, type Notation } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

const NOTATION: Notation = { ...JSON_NOTATION, within: "", nothing: "None", yes: "True", no: "False", last: "," };

/** For Python 3.8 or newer, with its own library alone. */
export function pythonOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  const target = JSON.stringify(`${pathname.replace(/\/$/, "")}${path}`);
  const authorization = `"Authorization": f"Bearer {os.environ['KEY']}"`;
  const options =
    body === undefined
      ? [`headers={${authorization}}`]
      : [
          `body=json.dumps(${layOut(body, NOTATION, "    ", 20)})`,
          `headers={\n        ${authorization},\n        "Content-Type": "application/json",\n    }`,
        ];
  return [
    "import http.client",
    ...(body === undefined ? [] : ["import json"]),
    "import os",
    "",
    `connection = http.client.${protocol === "https:" ? "HTTPSConnection" : "HTTPConnection"}(${JSON.stringify(host)})`,
    "connection.request(",
    ...[`"${method}"`, target, ...options].map((option) => `    ${option},`),
    ")",
    "response = connection.getresponse()",
    "print(response.status, response.read().decode())",
  ].join("\n");
}
