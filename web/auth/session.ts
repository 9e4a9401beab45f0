import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { dashboard } from "../client/dashboard.ts";
import { signInPath } from "./paths.ts";
import type { Visitor } from "../../server/api/sign-in.ts";
import { devicesCookie } from "../../server/api/session-cookie.ts";

/** The session named by the browser's token; null without one. Whether it has ended is checked against the database by each procedure. */
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

/** The signed-in user; when signed out, redirects to the sign-in, which returns to this page. */
export async function requirePerson() {
  const person = await currentPerson();
  if (person === null) redirect(signInPath((await headers()).get("x-path")));
  return person;
}

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
