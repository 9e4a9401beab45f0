import { llmsText } from "../docs/markdown/llms.ts";

/** The documentation for language models: a list of the pages with their Markdown addresses (llmstxt.org). */
export const dynamic = "force-dynamic";

export const GET = async (): Promise<Response> =>
  new Response(await llmsText(), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
