import type { InferClientOutputs } from "@orpc/client";
import type { DashboardClient } from "../../server/api/dashboard.ts";

/** The answer of each procedure of the dashboard, as its handler returns it. */
export type Answers = InferClientOutputs<DashboardClient>;

export type AnalyticsReports = Answers["analytics"];
export type AnalyticsFrame = AnalyticsReports["points"]["frame"];
export type AnalyticsSubject = AnalyticsReports["streaks"]["choices"][number];
export type BoardPeriod = Answers["leaderboards"]["periods"]["periods"][number];
export type BoardRow = Answers["leaderboards"]["group"]["rows"][number];
export type Backtest = Answers["backtests"]["get"];
export type BacktestVariant = NonNullable<Backtest["result"]>["draft"];
export type DataImport = Answers["imports"]["list"]["imports"][number];
export type PlayerCompletion = Answers["players"]["completions"]["completions"][number];
export type PlayerSeen = Answers["players"]["get"];
export type PlayerStanding = Answers["players"]["standings"]["standings"][number];
export type PurchaseListed = Answers["marketplace"]["allPurchases"]["purchases"][number];
export type PurchaseSeen = Answers["marketplace"]["purchases"]["purchases"][number];
export type SegmentCount = Answers["segments"]["counts"]["counts"][number];
export type StatusOfEnvironment = Answers["status"]["read"]["environments"][number];
export type StatusOfInstallation = NonNullable<Answers["status"]["read"]["installation"]>;
export type TimelineEntry = Answers["players"]["timeline"]["entries"][number];
export type MissionStanding = Answers["simulation"]["standing"]["missions"][number];
export type Judgement = NonNullable<MissionStanding["audience"]>[number];
export type Trial = NonNullable<Answers["simulation"]["run"]["trial"]>;
export type TrialStep = Trial["steps"][number];
export type TrialLine = TrialStep["lines"][number];
