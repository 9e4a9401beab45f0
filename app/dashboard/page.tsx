import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { requirePerson } from "../../web/auth/session.ts";
import { LAST_PLACE, lastEnvironmentFrom } from "../../web/shell/last-environment.ts";

/** Redirects to the last visited environment; at first to the Sandbox of the user's newest project, since the oldest is the demo. */
export default async function DashboardPage() {
  const [{ projects }, jar] = await Promise.all([requirePerson(), cookies()]);
  const last = lastEnvironmentFrom(jar.get(LAST_PLACE)?.value);
  if (last !== null && projects.some(({ slug }) => slug === last.project)) redirect(`/dashboard/${last.project}/${last.environment}`);
  const newest = projects.at(-1);
  redirect(newest ? `/dashboard/${newest.slug}/sandbox` : "/dashboard/new-project");
}
