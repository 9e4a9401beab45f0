"use client";

import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { AnalyticsFrame } from "../../server/insight/analytics/contract.dashboard.ts";

const WHILE_COUNTING_MS = 5_000;
const OTHERWISE_MS = 60_000;

/** A report, refetched every minute, and more often while history is being counted. */
// The options of each call have a type of their own, which only names their key.
// oxlint-disable-next-line typescript/no-explicit-any
export function useReport<Data extends object>(options: UseQueryOptions<Data, any, Data, any>) {
  return useQuery<Data, unknown, Data>({
    ...options,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const frame = state.data === undefined ? undefined : frameOf(state.data);
      return frame !== undefined && isCounting(frame) ? WHILE_COUNTING_MS : OTHERWISE_MS;
    },
  });
}

const isCounting = ({ progress, segment }: AnalyticsFrame): boolean => progress.done < progress.total || segment?.counted === null;

/** Leaderboards have periods of their own, and no range. */
export const frameOf = (report: object): AnalyticsFrame | undefined => (report as { frame?: AnalyticsFrame }).frame;
