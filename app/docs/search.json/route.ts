import { searchIndex } from "../search/search-index.ts";

/** What search reads once it is opened. It is made with the pages: nothing in it depends on the request. */
export const dynamic = "force-static";

export const GET = async (): Promise<Response> => Response.json(await searchIndex());
