import { pageMarkdown } from "../pages.ts";

/** A page as Markdown: /docs/guides/shop.md (rewritten to this route by next.config.ts). */
export async function GET(_: Request, { params }: { params: Promise<{ page?: string[] }> }): Promise<Response> {
  const { page = [] } = await params;
  const text = await pageMarkdown(["/docs", ...page].join("/"));
  const headers = { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "no-cache" };
  return text === null ? new Response("There is no such page.\n", { status: 404, headers }) : new Response(text, { headers });
}
