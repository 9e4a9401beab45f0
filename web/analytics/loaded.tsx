"use client";

import type { ReactNode } from "react";
import type { AnalyticsFrame } from "../../server/insight/analytics/contract.dashboard.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { useWhere } from "../client/where.tsx";
import { cx } from "../components/classes.ts";
import { exactly } from "../components/exactly.ts";
import { ReadFailed } from "../components/problems.tsx";
import { Notice, Skeleton } from "../components/surface.tsx";
import { frameOf } from "./use-report.ts";

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; isPlaceholderData: boolean; refetch(): unknown };
  children(data: Data): ReactNode;
}

/** The content of a report: the previous range's figures stay, dimmed, until the new ones have loaded. */
export function Loaded<Data extends object>({ query, children }: LoadedProps<Data>) {
  const { data, error, isPlaceholderData, refetch } = query;
  if (error) return <ReadFailed title="The figures could not be loaded" error={error} onRetry={refetch} />;
  if (data === undefined) return <Waiting />;
  const frame = frameOf(data);
  return (
    <div aria-busy={isPlaceholderData} className={cx("flex flex-col gap-4 transition-opacity", isPlaceholderData && "opacity-60")}>
      {frame && <Progress {...frame.progress} />}
      {frame?.segment && <OfSegment {...frame.segment} />}
      {frame?.segment?.counted !== null && children(data)}
    </div>
  );
}

/** The selected segment. A new segment has no members until it is counted. */
function OfSegment({ name, counted }: NonNullable<AnalyticsFrame["segment"]>) {
  const { timeZone } = useWhere();
  if (counted === null)
    return <Notice title={`${name} is still being counted`}>Its figures are shown once the background count has found its players.</Notice>;
  return (
    <p className="text-[0.8125rem] text-quiet">
      Players in {name}: {formatted(counted.members)}, counted {exactly(counted.at, timeZone)}. Their figures are of the whole range, also
      of days before they were in the segment.
    </p>
  );
}

/** History from before the analytics existed is counted in the background. */
export const Progress = ({ done, total }: { done: number; total: number }) =>
  done < total ? (
    <Notice title="Counting history">
      {formatted(done)} of {formatted(total)} players are counted. Figures rise until all are.
    </Notice>
  ) : null;

const Waiting = () => (
  <div aria-busy="true" aria-label="Loading" className="flex flex-col gap-4">
    <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
      {Array.from({ length: 4 }, (_, at) => (
        <Skeleton key={at} className="h-24 rounded-xl" />
      ))}
    </div>
    <Skeleton className="h-80 rounded-xl" />
  </div>
);
