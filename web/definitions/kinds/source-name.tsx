"use client";

import { orpc, useRead } from "../../client/service.tsx";

/** The name of the event, metric or attribute that a streak or leaderboard counts. */
export function SourceName({ of }: { of: string }) {
  const { data } = useRead(orpc.definitions.catalogue);
  const sources = data ? [...data.events, ...data.metrics, ...data.attributes] : [];
  return sources.find(({ key }) => key === of)?.name ?? of;
}
