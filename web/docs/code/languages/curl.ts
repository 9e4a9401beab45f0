import { layOut } from "../lay-out.ts";
import type { Piece } from "../piece.ts";
import type { ShownRequest } from "../request.ts";

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
