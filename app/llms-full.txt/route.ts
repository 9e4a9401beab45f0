import { llmsFullText } from "../docs/markdown/llms.ts";

/** Every page of the documentation in one text. */
export const dynamic = "force-dynamic";

export const GET = async (): Promise<Response> =>
  new Response(await llmsFullText(), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
