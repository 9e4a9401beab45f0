import { cookies, headers } from "next/headers";
import type { Visitor } from "../../server/api/sign-in.ts";
import { devicesCookie } from "../../server/api/session-cookie.ts";
import { dashboard } from "../client/dashboard.ts";

/** The browser that asks, and what it remembers of those who have signed in with it. */
export async function visitor(): Promise<Visitor> {
  const { signInService } = dashboard();
  const { name } = devicesCookie(signInService.settings.isSecure);
  return { ...signInService.browserOf(await headers()), devices: (await cookies()).get(name)?.value ?? null };
}

/** Has the browser remember who has just signed in with it. */
export async function rememberDevices(devices: string): Promise<void> {
  const { name, options } = devicesCookie(dashboard().signInService.settings.isSecure);
  (await cookies()).set(name, devices, options);
}
