import { layOut } from "../lay-out.ts";
import type { ShownRequest } from "../request.ts";

const FATAL = ["	if err != nil {", "		log.Fatal(err)", "	}"];

/** For Go 1.18 or newer, with its own library alone. */
export function goOf({ method, path, body }: ShownRequest, baseUrl: string): string {
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
    ...(hasBody ? [`	body := strings.NewReader(${literal(layOut(body))})`] : []),
    `	request, err := http.NewRequest("${method}", ${JSON.stringify(baseUrl + path)}, ${hasBody ? "body" : "nil"})`,
    ...FATAL,
    '	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))',
    ...(hasBody ? ['	request.Header.Set("Content-Type", "application/json")'] : []),
    "	response, err := http.DefaultClient.Do(request)",
    ...FATAL,
    "	defer response.Body.Close()",
    "	answer, err := io.ReadAll(response.Body)",
    ...FATAL,
    "	fmt.Println(response.StatusCode, string(answer))",
    "}",
  ].join("\n");
}

/** A raw string, unless it contains a backquote. */
const literal = (text: string): string => (text.includes("`") ? JSON.stringify(text) : `\`${text}\``);
