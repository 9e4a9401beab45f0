import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ReportPage } from "#web/analytics/report-page.tsx";
import { reportQuery, segmentsQuery } from "#web/analytics/report-query.ts";
import { isOfSegments, isReport, REPORTS } from "#web/analytics/reports.ts";
import { todayIn } from "#web/analytics/today.ts";
import { rangeOf, viewFrom } from "#web/analytics/view.ts";
import { type ScopeParams, scopeFrom } from "#web/client/scope.ts";
import { Prefetch } from "#web/client/server.tsx";

interface Props {
  params: Promise<ScopeParams & { report: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

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
  const view = viewFrom(await searchParams);
  const today = await todayIn(scope);
  return (
    <Prefetch
      find={(orpc) => [
        reportQuery(orpc, report, scope, rangeOf(view, today), view.segment),
        ...(isOfSegments(report) ? [segmentsQuery(orpc, scope)] : []),
      ]}
    >
      <ReportPage key={report} report={report} initialView={view} today={today} />
    </Prefetch>
  );
}
