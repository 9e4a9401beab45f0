import { searchIndex } from "../markdown/search-index.ts";

/** What search reads once it is opened. Requests in the pages have the public address, which a build does not know. */
export const dynamic = "force-dynamic";

let made: Promise<string> | undefined;

export async function GET(): Promise<Response> {
  made ??= searchIndex().then((index) => JSON.stringify(index));
  return new Response(await made, { headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" } });
}
