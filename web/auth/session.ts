import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { dashboard } from "../client/dashboard.ts";
import { factorPath, signInPath } from "./paths.ts";
import type { Visitor } from "../../server/api/sign-in.ts";
import { devicesCookie, rememberedCookie } from "../../server/api/session-cookie.ts";

/**
 * The session named by the browser's token; null if there is none. Whether it has ended is checked against the database by each procedure.
 */
export const currentSessionId = cache(async (): Promise<string | null> =>
  dashboard().sessionIdOf((await headers()).get("cookie") ?? undefined),
);

/** The signed-in user and their projects; null when signed out. */
export const currentPerson = cache(async () => {
  const sessionId = await currentSessionId();
  if (sessionId === null) return null;
  try {
    return await dashboard().client(sessionId).projects.me();
  } catch (error) {
    // The service's classes come from another module graph, so `instanceof` fails.
    if ((error as { code?: unknown }).code === "UNAUTHORIZED") return null;
    throw error;
  }
});

/**
 * The signed-in user. Redirects to the sign-in when signed out, and to the set-up of a second factor if one is required. Both return to
 * this page.
 */
export async function requirePerson() {
  const person = await currentPerson();
  if (person === null) redirect(signInPath((await headers()).get("x-path")));
  if (person.isFactorDue) redirect(factorPath((await headers()).get("x-path")));
  return person;
}

/** The requesting browser, with the cookies of earlier sign-ins. */
export async function visitor(): Promise<Visitor> {
  const { signInService } = dashboard();
  const { isSecure } = signInService.settings;
  const jar = await cookies();
  const valueOf = ({ name }: { name: string }) => jar.get(name)?.value ?? null;
  const kept = { devices: valueOf(devicesCookie(isSecure)), remembered: valueOf(rememberedCookie(isSecure)) };
  return { ...signInService.browserOf(await headers()), ...kept };
}

/** Sets the cookies of a browser in which a user has just signed in. */
export async function rememberDevices(devices: string, remembered?: string): Promise<void> {
  const { isSecure } = dashboard().signInService.settings;
  const jar = await cookies();
  const { name, options } = devicesCookie(isSecure);
  jar.set(name, devices, options);
  const { name: other, options: otherOptions } = rememberedCookie(isSecure);
  if (remembered !== undefined) jar.set(other, remembered, otherOptions);
}
