import { serverless } from "#web/client/serverless.ts";

/** The dashboard's own procedures for platforms that only run Next; server/process/main.ts answers /rpc itself. */
const answer = (request: Request): Promise<Response> => serverless().answerRpc(request);

export { answer as GET, answer as POST };
