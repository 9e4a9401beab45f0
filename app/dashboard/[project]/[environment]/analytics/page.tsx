import { redirect } from "next/navigation";
import { type ScopeParams, scopeFrom } from "#web/client/address.ts";

/** The first of the reports. */
export default async function AnalyticsPage({ params }: { params: Promise<ScopeParams> }) {
  const { project, environment } = await scopeFrom(params);
  redirect(`/dashboard/${project}/${environment}/analytics/players`);
}
