import { serverless } from "#web/client/serverless.ts";

/** The public API for platforms that only run Next; server/process/main.ts answers /v1 itself. */
const answer = (request: Request): Promise<Response> => serverless().answer(request);

export { answer as GET, answer as HEAD, answer as POST, answer as PUT, answer as PATCH, answer as DELETE, answer as OPTIONS };

export const dynamic = "force-dynamic";
