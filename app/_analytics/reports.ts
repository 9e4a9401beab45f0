import type { Kind } from "../../server/definitions/contract.ts";

/** The pages of the analytics, in the order of their tabs. */
export const REPORTS = [
  { path: "players", label: "Players", keywords: "active new returning retention cohorts" },
  { path: "missions", label: "Missions", keywords: "funnel offered accepted completed" },
  { path: "points", label: "Points", keywords: "granted spent outstanding balance liability" },
  { path: "shop", label: "Shop", keywords: "revenue units sold sell-through refusals" },
  { path: "streaks", label: "Streaks", keywords: "runs survival freezes milestones" },
  { path: "leaderboards", label: "Leaderboards", keywords: "participation scores" },
  { path: "events", label: "Events", keywords: "metrics volume" },
  { path: "webhooks", label: "Webhooks", keywords: "success latency retries" },
] as const;

export type ReportPath = (typeof REPORTS)[number]["path"];

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
