import { layOut } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

const CALLS = { GET: "GetAsync", POST: "PostAsync", PUT: "PutAsync" };

/** For .NET 7 or newer: the whole of Program.cs. */
export function csharpOf({ method, path, body }: ShownRequest, baseUrl: string): string {
  const hasBody = body !== undefined;
  const url = JSON.stringify(baseUrl + path);
  const content = hasBody ? ", content" : method === "GET" ? "" : ", null";
  return [
    ...(hasBody ? ["using System.Text;", ""] : []),
    "using var client = new HttpClient();",
    'client.DefaultRequestHeaders.Authorization = new("Bearer", Environment.GetEnvironmentVariable("KEY"));',
    ...(hasBody
      ? [`var body = ${rawString(layOut(body))};`, 'var content = new StringContent(body, Encoding.UTF8, "application/json");']
      : []),
    `var response = await client.${CALLS[method]}(${url}${content});`,
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join("\n");
}

/** A raw string, delimited by more quotes than its longest run of them. */
function rawString(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/"+/g)].map(([quotes]) => quotes.length));
  const quotes = '"'.repeat(longest + 1);
  return [quotes, ...text.split("\n"), quotes].join("\n    ");
}
