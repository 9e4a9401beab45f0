import type { Language } from "./highlight.ts";
import { JSON_NOTATION, layOut, type Notation } from "./lay-out.ts";
import type { Piece, ShownRequest } from "./shown.ts";

export interface RequestLanguage {
  /** As its tab says. */
  name: string;
  /**
   * A program that makes the request with the key in the environment variable KEY, and prints the status and the body of the response; curl
   * prints the body only.
   */
  codeOf(request: ShownRequest, baseUrl: string): Piece[];
}

type Write = (request: ShownRequest, baseUrl: string) => string;

const inOne = (name: string, language: Language, write: Write): RequestLanguage => ({
  name,
  codeOf: (request, baseUrl) => [{ language, code: write(request, baseUrl) }],
});

/** All are generated from the same data; none needs a library. The first is the default. */
export const LANGUAGES: readonly RequestLanguage[] = [
  { name: "curl", codeOf: curlOf },
  inOne("TypeScript", "typescript", typescriptOf),
  inOne("Python", "python", pythonOf),
  inOne("Go", "go", goOf),
  inOne("Java", "java", javaOf),
  inOne("C#", "csharp", csharpOf),
  inOne("PHP", "php", phpOf),
  inOne("Ruby", "ruby", rubyOf),
];

/** A request for a shell in which KEY holds an API key. Bodies need no content type: they are read as JSON. */
export function curlOf({ method, path, body }: ShownRequest, baseUrl: string): Piece[] {
  const url = `${baseUrl}${path}`;
  const address = /[?&=;(){}]/.test(url) ? `"${url}"` : url;
  const explicit = method === "PUT" || (method === "POST" && body === undefined) ? `-X ${method} ` : "";
  const head = `curl ${explicit}${address} \\\n  -H "Authorization: Bearer $KEY"`;
  if (body === undefined) return [{ language: "shell", code: head }];
  return [
    { language: "shell", code: `${head} \\\n  -d '` },
    { language: "json", code: quoted(layOut(body)) },
    { language: "text", code: "'" },
  ];
}

/** Escaped for single quotes. */
const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

const TYPESCRIPT_NOTATION: Notation = {
  ...JSON_NOTATION,
  name: (name) => `${/^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: `,
  last: ",",
};

/** For Node 24 or newer, Deno or Bun: `fetch` is part of them. */
function typescriptOf({ method, path, body }: ShownRequest, baseUrl: string): string {
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
    `body: JSON.stringify(${layOut(body, TYPESCRIPT_NOTATION, "  ", 24)})`,
  ]);
}

const PYTHON_NOTATION: Notation = { ...JSON_NOTATION, within: "", nothing: "None", yes: "True", no: "False", last: "," };

/** For Python 3.8 or newer, with its own library alone. */
function pythonOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  const target = JSON.stringify(`${pathname.replace(/\/$/, "")}${path}`);
  const authorization = `"Authorization": f"Bearer {os.environ['KEY']}"`;
  const options =
    body === undefined
      ? [`headers={${authorization}}`]
      : [
          `body=json.dumps(${layOut(body, PYTHON_NOTATION, "    ", 20)})`,
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

const GO_FATAL = ["	if err != nil {", "		log.Fatal(err)", "	}"];

/** For Go 1.18 or newer, with its own library alone. */
function goOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const hasBody = body !== undefined;
  const imports = ["fmt", "io", "log", "net/http", "os", ...(hasBody ? ["strings"] : [])];
  return [
    "package main",
    "",
    "import (",
    ...imports.map((name) => `	"${name}"`),
    ")",
    "",
    "func main() {",
    ...(hasBody ? [`	body := strings.NewReader(${goString(layOut(body))})`] : []),
    `	request, err := http.NewRequest("${method}", ${JSON.stringify(baseUrl + path)}, ${hasBody ? "body" : "nil"})`,
    ...GO_FATAL,
    '	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))',
    ...(hasBody ? ['	request.Header.Set("Content-Type", "application/json")'] : []),
    "	response, err := http.DefaultClient.Do(request)",
    ...GO_FATAL,
    "	defer response.Body.Close()",
    "	answer, err := io.ReadAll(response.Body)",
    ...GO_FATAL,
    "	fmt.Println(response.StatusCode, string(answer))",
    "}",
  ].join("\n");
}

/** A raw string, unless it contains a backquote. */
const goString = (text: string): string => (text.includes("`") ? JSON.stringify(text) : `\`${text}\``);

const JAVA_INDENT = "            ";

/** For Java 17 or newer, run by `java Request.java`. */
function javaOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const hasBody = body !== undefined;
  const publisher = hasBody ? "BodyPublishers.ofString(body)" : "BodyPublishers.noBody()";
  const isGet = method === "GET" && !hasBody;
  return [
    "import java.net.URI;",
    "import java.net.http.HttpClient;",
    "import java.net.http.HttpRequest;",
    ...(isGet ? [] : ["import java.net.http.HttpRequest.BodyPublishers;"]),
    "import java.net.http.HttpResponse.BodyHandlers;",
    "",
    "public class Request {",
    "    public static void main(String[] args) throws Exception {",
    ...(hasBody ? [`        var body = """`, `${textBlock(layOut(body))}""";`] : []),
    `        var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(baseUrl + path)}))`,
    '            .header("Authorization", "Bearer " + System.getenv("KEY"))',
    ...(hasBody ? ['            .header("Content-Type", "application/json")'] : []),
    ...(isGet ? [] : [`            .method("${method}", ${publisher})`]),
    "            .build();",
    "        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());",
    '        System.out.println(response.statusCode() + " " + response.body());',
    "    }",
    "}",
  ].join("\n");
}

/** The lines of a text block, with backslashes and quotes escaped. */
const textBlock = (text: string): string =>
  text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"""', String.raw`\"""`)
    .replace(/^/gm, JAVA_INDENT);

const CSHARP_CALLS = { GET: "GetAsync", POST: "PostAsync", PUT: "PutAsync" };

/** For .NET 7 or newer: the whole of Program.cs. */
function csharpOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const hasBody = body !== undefined;
  const url = JSON.stringify(baseUrl + path);
  const content = hasBody ? ", content" : method === "GET" ? "" : ", null";
  return [
    ...(hasBody ? ["using System.Text;", ""] : []),
    "using var client = new HttpClient();",
    'client.DefaultRequestHeaders.Authorization = new("Bearer", Environment.GetEnvironmentVariable("KEY"));',
    ...(hasBody
      ? [`var body = ${csharpString(layOut(body))};`, 'var content = new StringContent(body, Encoding.UTF8, "application/json");']
      : []),
    `var response = await client.${CSHARP_CALLS[method]}(${url}${content});`,
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join("\n");
}

/** A raw string, delimited by more quotes than its longest run of them. */
function csharpString(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/"+/g)].map(([quotes]) => quotes.length));
  const quotes = '"'.repeat(longest + 1);
  return [quotes, ...text.split("\n"), quotes].join("\n    ");
}

/** In single quotes only backslashes and quotes need escaping. */
const phpText = (value: string): string => `'${value.replace(/[\\']/g, String.raw`\$&`)}'`;

const PHP_NOTATION: Notation = {
  ...JSON_NOTATION,
  map: ["[", "]"],
  within: "",
  emptyMap: "new stdClass()",
  name: (name) => `${phpText(name)} => `,
  text: phpText,
  last: ",",
};

/** For PHP 8 with its curl extension. */
function phpOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const authorization = "'Authorization: Bearer ' . getenv('KEY')";
  const options = [
    "CURLOPT_RETURNTRANSFER => true",
    ...(method === "GET" ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(body === undefined
      ? [`CURLOPT_HTTPHEADER => [${authorization}]`]
      : [
          `CURLOPT_HTTPHEADER => [\n        ${authorization},\n        'Content-Type: application/json',\n    ]`,
          `CURLOPT_POSTFIELDS => json_encode(${layOut(body, PHP_NOTATION, "    ", 38)})`,
        ]),
  ];
  return [
    "<?php",
    `$request = curl_init(${phpText(baseUrl + path)});`,
    "curl_setopt_array($request, [",
    ...options.map((option) => `    ${option},`),
    "]);",
    "$answer = curl_exec($request);",
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join("\n");
}

/** A number sign may begin interpolation in a string. */
const rubyText = (value: string): string => JSON.stringify(value).replaceAll("#", String.raw`\#`);

const RUBY_NOTATION: Notation = {
  ...JSON_NOTATION,
  name: (name) => `${/^[a-zA-Z_]\w*$/.test(name) ? name : rubyText(name)}: `,
  text: rubyText,
  nothing: "nil",
};

/** For Ruby 3, with its own library alone. */
function rubyOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const verb = method[0] + method.slice(1).toLowerCase();
  return [
    ...(body === undefined ? [] : ['require "json"']),
    'require "net/http"',
    "",
    `uri = URI(${rubyText(baseUrl + path)})`,
    `request = Net::HTTP::${verb}.new(uri)`,
    'request["Authorization"] = "Bearer #{ENV.fetch("KEY")}"',
    ...(body === undefined
      ? []
      : ['request["Content-Type"] = "application/json"', `request.body = JSON.generate(${layOut(body, RUBY_NOTATION, "", 29)})`]),
    'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
    'puts "#{response.code} #{response.body}"',
  ].join("\n");
}
