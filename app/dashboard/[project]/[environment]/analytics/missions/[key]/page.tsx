import type { Metadata } from "next";
import { cache } from "react";
import { MissionPage } from "#web/analytics/screens/mission.tsx";
import { missionQueries } from "#web/analytics/report-query.ts";
import { todayIn } from "#web/analytics/today.ts";
import { rangeOf, REPORT } from "#web/analytics/view.ts";
import { type EnvironmentPageProps, scopeFrom } from "#web/client/address.ts";
import { orLeave, Prefetch, serverRpc } from "#web/client/server.tsx";
import type { EnvironmentKind } from "#server/model/kernel/environment.ts";

type Props = EnvironmentPageProps<{ key: string }>;

/** Read once for the title and the page. */
const mission = cache(async (project: string, environment: EnvironmentKind, key: string) =>
  (await serverRpc()).definitions.get({ project, environment, kind: "missions", key }),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project, environment } = await scopeFrom(params);
  const key = decodeURIComponent((await params).key);
  // The page itself decides between 200 and 404.
  const known = await mission(project, environment, key).catch(() => null);
  return { title: `${known?.name || key} · Analytics` };
}

export default async function MissionReportPage({ params, searchParams }: Props) {
  const scope = await scopeFrom(params);
  const key = decodeURIComponent((await params).key);
  const known = await orLeave(mission(scope.project, scope.environment, key));
  const view = REPORT.from(await searchParams);
  const today = await todayIn(scope);
  return (
    <Prefetch find={(orpc) => missionQueries(orpc, scope, rangeOf(view, today), view.segment, key)}>
      <MissionPage missionKey={key} name={known.name || key} today={today} />
    </Prefetch>
  );
}
