import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** The provider's claims about a user, by the name that they type. */
type People = Record<string, { email: string; email_verified: boolean }>;

export const CLIENT = { id: "points", secret: "known-to-this-test-alone" };

/** A real OpenID Connect provider on a free port. Its clients are known once the service's address is. */
export async function startProvider(people: People) {
  const server = createServer().listen(0);
  await once(server, "listening");
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    serve(service: string) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [`${service}/api/auth/callback/oidc`] }],
        claims: { email: ["email", "email_verified"], profile: ["name"] },
        cookies: { keys: ["known to this test alone"] },
        findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people[accountId] }) }),
      });
      const answer = provider.callback();
      server.on("request", (request, response) => void answer(request, response));
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
