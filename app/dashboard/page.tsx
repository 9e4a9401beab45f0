import { redirect } from "next/navigation";
import { requirePerson } from "../_auth/session.ts";

/** Leads to the Sandbox of one's newest project: the demo is the oldest, and gives way to one's own. */
export default async function DashboardPage() {
  const { projects } = await requirePerson();
  const newest = projects.at(-1);
  redirect(newest ? `/dashboard/${newest.slug}/sandbox` : "/dashboard/new-project");
}
