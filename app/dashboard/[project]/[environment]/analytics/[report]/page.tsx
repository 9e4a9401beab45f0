import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ReportPage } from "#web/analytics/report-page.tsx";
import { reportQuery, segmentsQuery } from "#web/analytics/report-query.ts";
import { isOfSegments, isReport, REPORTS } from "#web/analytics/reports.ts";
import { todayIn } from "#web/analytics/today.ts";
import { rangeOf, REPORT } from "#web/analytics/view.ts";
import { type EnvironmentPageProps, scopeFrom } from "#web/client/address.ts";
import { Prefetch } from "#web/client/server.tsx";

type Props = EnvironmentPageProps<{ report: string }>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { report } = await params;
  const label = REPORTS.find(({ path }) => path === report)?.label;
  return { title: label === undefined ? "Analytics" : `${label} · Analytics` };
}

/** One report, with its figures in the page. */
export default async function AnalyticsReportPage({ params, searchParams }: Props) {
  const { report } = await params;
  if (!isReport(report)) notFound();
  const scope = await scopeFrom(params);
  const view = REPORT.from(await searchParams);
  const today = await todayIn(scope, report);
  return (
    <Prefetch
      find={(orpc) => [
        reportQuery(orpc, report, scope, rangeOf(view, today), view),
        ...(isOfSegments(report) ? [segmentsQuery(orpc, scope)] : []),
      ]}
    >
      <ReportPage key={report} report={report} today={today} />
    </Prefetch>
  );
}
