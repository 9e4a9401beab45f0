import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { dashboard } from "../client/dashboard.ts";
import { signInPath } from "./paths.ts";

/**
 * The session that the browser's token names; null without a token of ours. Whether it has ended is asked of the database, by
 * whoever is called with it.
 */
export const currentSessionId = cache(async (): Promise<string | null> =>
  dashboard().sessionIdOf((await headers()).get("cookie") ?? undefined),
);

/** Who is signed in, with their projects; null for a stranger. */
export const currentPerson = cache(async () => {
  const sessionId = await currentSessionId();
  if (sessionId === null) return null;
  try {
    return await dashboard().client(sessionId).projects.me();
  } catch (error) {
    // The service's own classes are not those of this module graph.
    if ((error as { code?: unknown }).code === "UNAUTHORIZED") return null;
    throw error;
  }
});

/** Who is signed in; a stranger is sent to sign in first, and comes back to where they wanted to go. */
export async function requirePerson() {
  const person = await currentPerson();
  if (person === null) redirect(signInPath((await headers()).get("x-path")));
  return person;
}
