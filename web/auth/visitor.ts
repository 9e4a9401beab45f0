import { cookies, headers } from "next/headers";
import type { Visitor } from "../../server/api/sign-in.ts";
import { devicesCookie } from "../../server/api/session-cookie.ts";
import { dashboard } from "../client/dashboard.ts";

/** The requesting browser, with its device cookie. */
export async function visitor(): Promise<Visitor> {
  const { signInService } = dashboard();
  const { name } = devicesCookie(signInService.settings.isSecure);
  return { ...signInService.browserOf(await headers()), devices: (await cookies()).get(name)?.value ?? null };
}

/** Sets the device cookie for the user who has just signed in. */
export async function rememberDevices(devices: string): Promise<void> {
  const { name, options } = devicesCookie(dashboard().signInService.settings.isSecure);
  (await cookies()).set(name, devices, options);
}
