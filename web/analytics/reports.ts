import type { Kind } from "../../server/model/definitions/contract.ts";

interface Report {
  path: string;
  label: string;
  keywords: string;
  /** Whether it can be filtered by segment: its figures are then computed from player activity. */
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

/** The kinds whose definitions have a Results tab. */
const RESULT_KINDS = ["missions", "streaks", "leaderboards"] as const satisfies readonly Kind[];

export type ResultKind = (typeof RESULT_KINDS)[number];

export const hasResults = (kind: Kind): kind is ResultKind => RESULT_KINDS.some((one) => one === kind);
