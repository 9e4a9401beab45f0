import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { requirePerson } from "../../web/auth/session.ts";
import { LAST_PLACE, lastPlaceFrom } from "../../web/shell/places.ts";

/** Redirects to the last visited environment; at first to the Sandbox of the user's newest project, since the oldest is the demo. */
export default async function DashboardPage() {
  const [{ projects }, jar] = await Promise.all([requirePerson(), cookies()]);
  const last = lastPlaceFrom(jar.get(LAST_PLACE)?.value);
  if (last !== null && projects.some(({ slug }) => slug === last.project)) redirect(`/dashboard/${last.project}/${last.environment}`);
  const newest = projects.at(-1);
  redirect(newest ? `/dashboard/${newest.slug}/sandbox` : "/dashboard/new-project");
}
