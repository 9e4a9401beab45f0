import { dashboard } from "../../_client/dashboard.ts";
import { currentSessionId } from "../../_auth/session.ts";

/** The dashboard's own procedures, for whoever is signed in; an API key opens nothing here. */
const answer = async (request: Request): Promise<Response> => dashboard().answer(request, await currentSessionId());

export { answer as GET, answer as POST };

// The request as it is: Next gives another one to a route that might be made ahead.
export const dynamic = "force-dynamic";
