import { JSON_NOTATION, layOut, type Notation } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

/** In single quotes only backslashes and quotes need escaping. */
const text = (value: string): string => `'${value.replace(/[\\']/g, String.raw`\$&`)}'`;

const NOTATION: Notation = {
  ...JSON_NOTATION,
  map: ["[", "]"],
  within: "",
  emptyMap: "new stdClass()",
  name: (name) => `${text(name)} => `,
  text,
  last: ",",
};

/** For PHP 8 with its curl extension. */
export function phpOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const authorization = "'Authorization: Bearer ' . getenv('KEY')";
  const options = [
    "CURLOPT_RETURNTRANSFER => true",
    ...(method === "GET" ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(body === undefined
      ? [`CURLOPT_HTTPHEADER => [${authorization}]`]
      : [
          `CURLOPT_HTTPHEADER => [\n        ${authorization},\n        'Content-Type: application/json',\n    ]`,
          `CURLOPT_POSTFIELDS => json_encode(${layOut(body, NOTATION, "    ", 38)})`,
        ]),
  ];
  return [
    "<?php",
    `$request = curl_init(${text(baseUrl + path)});`,
    "curl_setopt_array($request, [",
    ...options.map((option) => `    ${option},`),
    "]);",
    "$answer = curl_exec($request);",
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join("\n");
}
