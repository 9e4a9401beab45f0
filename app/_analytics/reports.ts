import type { Kind } from "../../server/definitions/contract.ts";

interface Report {
  path: string;
  label: string;
  keywords: string;
  /** Whether it can be about the members of a segment: its figures are then read from what each player did. */
  isOfSegments?: boolean;
}

/** The pages of the analytics, in the order of their tabs. */
export const REPORTS = [
  { path: "players", label: "Players", keywords: "active new returning retention cohorts", isOfSegments: true },
  { path: "missions", label: "Missions", keywords: "funnel offered accepted completed", isOfSegments: true },
  { path: "points", label: "Points", keywords: "granted spent outstanding balance liability", isOfSegments: true },
  { path: "shop", label: "Shop", keywords: "revenue units sold sell-through refusals", isOfSegments: true },
  { path: "streaks", label: "Streaks", keywords: "runs survival freezes milestones" },
  { path: "leaderboards", label: "Leaderboards", keywords: "participation scores movement promoted relegated" },
  { path: "events", label: "Events", keywords: "metrics volume" },
  { path: "webhooks", label: "Webhooks", keywords: "success latency retries" },
] as const satisfies readonly Report[];

export type ReportPath = (typeof REPORTS)[number]["path"];

const SEGMENT_REPORTS: ReadonlySet<string> = new Set(REPORTS.flatMap((report) => ("isOfSegments" in report ? [report.path] : [])));

export const isOfSegments = (path: ReportPath): boolean => SEGMENT_REPORTS.has(path);

export const isReport = (path: string): path is ReportPath => REPORTS.some((report) => report.path === path);

/** The page with the figures of one definition; null for kinds without one. */
export function reportOfDefinition(kind: Kind, key: string): string | null {
  switch (kind) {
    case "missions":
      return `/analytics/missions/${encodeURIComponent(key)}`;
    case "streaks":
    case "leaderboards":
      return `/analytics/${kind}?of=${encodeURIComponent(key)}`;
    case "marketplaceItems":
      return "/analytics/shop";
    default:
      return null;
  }
}
