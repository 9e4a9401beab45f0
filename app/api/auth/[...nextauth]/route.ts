import type { NextRequest } from "next/server";
import { publicAddress } from "#server/process/base-url.ts";
import { hardened } from "#server/api/hardened.ts";
import { handlers } from "#web/auth/auth.ts";
import { dashboard } from "#web/client/dashboard.ts";

interface Called {
  params: Promise<{ nextauth: string[] }>;
}

/**
 * Where providers send people back to. Nothing else of next-auth is reached from outside: forms sign in and out by actions of their pages,
 * and next-auth would read a stranger's body, and call a fault what a stranger makes up.
 */
export async function GET(request: NextRequest, { params }: Called): Promise<Response> {
  const [action, provider, ...more] = (await params).nextauth;
  const isCallback =
    action === "callback" && more.length === 0 && dashboard().signInService.settings.providers.some(({ id }) => id === provider);
  const response = isCallback ? await handlers.GET(request) : new Response("There is no such page.\n", { status: 404 });
  for (const [name, value] of Object.entries(hardened(publicAddress()))) response.headers.set(name, value);
  return response;
}
