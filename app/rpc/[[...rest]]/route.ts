import { answerRpc } from "#server/api/fetch.ts";
import { dashboard } from "#web/client/dashboard.ts";

/** The dashboard's own procedures for platforms that only run Next; server/process/main.ts answers /rpc itself. */
const answer = (request: Request): Promise<Response> => answerRpc(dashboard(), request);

export { answer as GET, answer as POST };
