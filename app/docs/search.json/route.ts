import { searchIndex } from "../markdown/search-index.ts";

/** The search index, loaded when search opens. The pages' example requests contain the public address, unknown at build time. */
export const dynamic = "force-dynamic";

let made: Promise<string> | undefined;

export async function GET(): Promise<Response> {
  made ??= searchIndex().then((index) => JSON.stringify(index));
  return new Response(await made, { headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" } });
}
