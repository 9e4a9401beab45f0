import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MissionPage } from "#web/analytics/screens/mission.tsx";
import { missionQueries } from "#web/analytics/report-query.ts";
import { todayIn } from "#web/analytics/today.ts";
import { rangeOf, REPORT } from "#web/analytics/view.ts";
import { type EnvironmentPageProps, scopeFrom } from "#web/client/address.ts";
import { Prefetch } from "#web/client/server.tsx";
import { findDefinition, readObjectiveSentences } from "#web/definitions/overview/read-definition.ts";

type Props = EnvironmentPageProps<{ key: string }>;

const missionFrom = async (params: Props["params"]) => ({
  scope: await scopeFrom(params),
  kind: "missions" as const,
  key: decodeURIComponent((await params).key),
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const mission = await missionFrom(params);
  // The page itself decides between 200 and 404.
  const known = await findDefinition(mission).catch(() => null);
  return { title: `${known?.name || mission.key} · Analytics` };
}

export default async function MissionReportPage({ params, searchParams }: Props) {
  const { scope, kind, key } = await missionFrom(params);
  const known = await findDefinition({ scope, kind, key });
  if (known === null) notFound();
  const view = REPORT.from(await searchParams);
  const [today, sentences] = await Promise.all([todayIn(scope), readObjectiveSentences(scope, known)]);
  return (
    <Prefetch find={(orpc) => missionQueries(orpc, scope, rangeOf(view, today), view.segment, key)}>
      <MissionPage missionKey={key} sentences={sentences} name={known.name || key} today={today} />
    </Prefetch>
  );
}
