import type { NextRequest } from "next/server";
import { publicAddress } from "#server/process/base-url.ts";
import { hardened } from "#server/api/hardened.ts";
import { handlers } from "#web/auth/auth.ts";
import { dashboard } from "#web/client/dashboard.ts";

/**
 * The OAuth callback, the only next-auth endpoint exposed: forms sign in and out through server actions, and next-auth's other endpoints
 * would parse untrusted bodies and log malformed ones as faults.
 */
export async function GET(request: NextRequest, { params }: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const [action, provider, ...more] = (await params).nextauth;
  const isCallback =
    action === "callback" && more.length === 0 && dashboard().signInService.settings.providers.some(({ id }) => id === provider);
  const answer = isCallback ? await handlers.GET(request) : new Response("There is no such page.\n", { status: 404 });
  // A copy: the headers of next-auth's redirect after a failure are immutable.
  const response = new Response(answer.body, answer);
  for (const [name, value] of Object.entries(hardened(publicAddress()))) response.headers.set(name, value);
  return response;
}
