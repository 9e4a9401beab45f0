import { definitionsSchema } from "../../server/api/definitions-schema.ts";

/** The JSON Schema of the definitions file, for editors; made once, with the pages. */
export const dynamic = "force-static";

export const GET = (): Response =>
  Response.json(definitionsSchema(), { headers: { "Content-Type": "application/schema+json", "Access-Control-Allow-Origin": "*" } });
