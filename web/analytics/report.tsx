import { dateOf, dateRange } from "../../server/model/kernel/dates.ts";
import { keepPreviousData, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { ChartColumn } from "lucide-react";
import { type AnalyticsFrame, type AnalyticsReports, orpc, useWhere } from "../client/service.tsx";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { ReadFailed } from "../components/problems.tsx";
import { Card, Dimmed, EmptyState, Notice, Skeleton } from "../components/surface.tsx";
import { LinkButton } from "../components/button.tsx";
import { Instant } from "../components/time.tsx";
import { useAddress } from "../client/use-address.ts";
import { reportQuery } from "./report-query.ts";
import type { ReportPath } from "./reports.ts";
import { type Range, rangeOf, REPORT, type ReportView } from "./view.ts";

const WHILE_COUNTING_MS = 5_000;
const OTHERWISE_MS = 60_000;

interface ReportProps<Path extends ReportPath> {
  of: Path;
  /** The key of the one definition that it shows; by default the one in the address. */
  only?: string;
  children(data: AnalyticsReports[Path]): ReactNode;
}

/** A report as the address asks for it. */
export function Report<Path extends ReportPath>({ of, only, children }: ReportProps<Path>) {
  const { scope } = useWhere();
  const { view, range } = useReportView();
  const query = reportQuery(orpc, of, scope, range, only === undefined ? view : { ...view, of: only });
  return <ReportContent query={query}>{children}</ReportContent>;
}

interface ContentProps<Data> {
  // The options of each query have a type of their own, which only names their key.
  // oxlint-disable-next-line typescript/no-explicit-any
  query: UseQueryOptions<Data, any, Data, any>;
  children(data: Data): ReactNode;
}

/**
 * A report, refetched every minute, and more often while history is being counted. The previous range's figures stay, dimmed, until the new
 * ones have loaded.
 */
export function ReportContent<Data extends object>({ query, children }: ContentProps<Data>) {
  const { data, error, isPlaceholderData, refetch } = useQuery<Data, unknown, Data>({
    ...query,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const frame = state.data === undefined ? undefined : frameOf(state.data);
      return frame !== undefined && isCounting(frame) ? WHILE_COUNTING_MS : OTHERWISE_MS;
    },
  });
  const failed = <ReadFailed title="The figures could not be loaded" error={error} onRetry={refetch} />;
  if (data === undefined) return error ? failed : <ReportSkeleton />;
  const frame = frameOf(data);
  return (
    <Dimmed isStale={isPlaceholderData} className="flex flex-col gap-4">
      {failed}
      {frame && <Progress {...frame.progress} />}
      {frame && <Compared {...frame} />}
      {frame?.segment && <OfSegment {...frame.segment} />}
      {frame?.segment?.counted !== null && children(data)}
    </Dimmed>
  );
}

const isCounting = ({ progress, segment }: AnalyticsFrame): boolean => progress.done < progress.total || segment?.counted === null;

/** Leaderboards have periods of their own, and no range. */
const frameOf = (report: object): AnalyticsFrame | undefined => (report as { frame?: AnalyticsFrame }).frame;

/** The selected segment. A new segment has no members until it is counted. */
function OfSegment({ name, counted }: NonNullable<AnalyticsFrame["segment"]>) {
  if (counted === null)
    return <Notice title={`${name} is still being counted`}>Its figures are shown once the background count has found its players.</Notice>;
  return (
    <p className="text-[0.8125rem] text-quiet">
      Players in {name}: {formatted(counted.members)}, counted <Instant value={counted.at} />. Figures cover the whole range, including days
      before they joined the segment.
    </p>
  );
}

/** A range that has just begun falls short of the one before: the reader has to know. */
const Compared = ({ before, today, to }: AnalyticsFrame) => (
  <p className="text-[0.8125rem] text-quiet">
    Changes compare with {dateRange(before.from, before.to)}
    {today <= to && "; this range is not over yet"}.
  </p>
);

/** History from before the analytics existed is counted in the background. */
export const Progress = ({ done, total }: { done: number; total: number }) =>
  done < total ? (
    <Notice title="Counting history">
      {formatted(done)} of {formatted(total)} players are counted. Figures keep rising until counting finishes.
    </Notice>
  ) : null;

const ReportSkeleton = () => (
  <div aria-busy="true" aria-label="Loading" className="flex flex-col gap-4">
    <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
      {Array.from({ length: 4 }, (_, at) => (
        <Skeleton key={at} className="h-24 rounded-xl" />
      ))}
    </div>
    <Skeleton className="h-80 rounded-xl" />
  </div>
);

interface NoDataProps {
  title: string;
  /** How to send the first figures. */
  children: ReactNode;
  action?: { label: string; path: string };
}

export function NoData({ title, children, action = { label: "Send events", path: "/developers/quickstart" } }: NoDataProps) {
  const { href } = useWhere();
  return (
    <Card padded={false}>
      <EmptyState icon={<ChartColumn />} title={title} action={<LinkButton href={href(action.path)}>{action.label}</LinkButton>}>
        {children}
      </EmptyState>
    </Card>
  );
}

/** Empty state of a definition's report. */
export const NoFigures = () => (
  <Card padded={false}>
    <EmptyState icon={<ChartColumn />} title="No results yet">
      They appear with the first players.
    </EmptyState>
  </Card>
);

interface Shown {
  view: ReportView;
  range: Range;
  /** On the environment's clock, in the project's zone. */
  today: string;
  show(changed: Partial<ReportView>): void;
}

const TodayContext = createContext<string | null>(null);

interface TodayProps {
  /** When the page was rendered. */
  rendered: string;
  /** By real time, not by the environment's clock. */
  isReal?: boolean;
  children: ReactNode;
}

/** The present day, around every report: a page that stays open goes on to the next one. */
export function Today({ rendered, isReal = false, children }: TodayProps) {
  const { now, clockAheadMs, timeZone } = useWhere();
  const today = dateOf(Date.parse(now) - (isReal ? clockAheadMs : 0), timeZone);
  return <TodayContext value={today > rendered ? today : rendered}>{children}</TodayContext>;
}

/** A report's state in the address. */
export function useReportView(): Shown {
  const [view, setView] = useAddress(REPORT);
  const today = useContext(TodayContext);
  if (today === null) throw new Error("This component is rendered outside a report.");
  // Another order or range begins with its first page.
  return { view, range: rangeOf(view, today), today, show: (changed) => setView({ page: null, ...changed }) };
}
