import { dashboard } from "../../_client/dashboard.ts";
import { currentSessionId } from "../../_auth/session.ts";

/** The dashboard's own procedures, for whoever is signed in; an API key opens nothing here. */
async function answer(request: Request): Promise<Response> {
  const { url, method, headers, body, signal } = request;
  // Next's request stands for another one; what reads it on the service's side wants a plain one.
  const plain = new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
  return dashboard().answer(plain, await currentSessionId());
}

export { answer as GET, answer as POST };
