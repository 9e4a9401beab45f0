import { layOut } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

const INDENT = "            ";

/** For Java 17 or newer, run as it stands: `java Request.java`. */
export function javaOf({ method, path, body }: ShownRequest, baseUrl: string): string {
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
    .replace(/^/gm, INDENT);
