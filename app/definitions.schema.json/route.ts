import { definitionsSchema } from "../../server/api/definitions-schema.ts";

/** The JSON Schema of the definitions file, for editors; generated when the pages are built. */
export const dynamic = "force-static";

export const GET = (): Response =>
  Response.json(definitionsSchema(), { headers: { "Content-Type": "application/schema+json", "Access-Control-Allow-Origin": "*" } });
