import type { ReactNode } from "react";
import type { Kind } from "../../server/definitions/contract.ts";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { Badge } from "../_components/surface.tsx";
import type { Column } from "../_components/table.tsx";

export type ListedDefinition = Awaited<ReturnType<DashboardClient["definitions"]["list"]>>["rows"][number];

/** A column of what is special about a kind; hidden where there is no room for it. */
const column = (
  id: string,
  header: string,
  cell: (summary: ListedDefinition["summary"]) => ReactNode,
  isNumeric = false,
): Column<ListedDefinition> => ({
  id,
  header,
  isNumeric,
  className: "max-md:hidden",
  cell: ({ summary }) => <span className="whitespace-nowrap text-quiet">{cell(summary)}</span>,
});

const NUMBERS = new Intl.NumberFormat("en");
export const number = (value: unknown): string => (typeof value === "number" ? NUMBERS.format(value) : String(value ?? "–"));

export const plural = (count: unknown, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

const RECURRENCES: Record<string, string> = {
  None: "Once",
  Day: "Every day",
  Week: "Every week",
  Month: "Every month",
  AfterCompletion: "Again after completion",
  AllTime: "All time",
  Season: "Season",
};
const every = (value: unknown): string => RECURRENCES[String(value)] ?? String(value);

const rewards = ({ points, items }: ListedDefinition["summary"]): string =>
  [points ? plural(points, "point") : "", items ? plural(items, "item") : ""].filter(Boolean).join(" + ") || "–";

const SOURCES: Record<string, string> = { Points: "Points granted" };
const source = ({ source: kind, sourceKey }: ListedDefinition["summary"]): string => SOURCES[String(kind)] ?? String(sourceKey ?? kind);

const discovered = ({ discovered: is }: ListedDefinition["summary"]): ReactNode =>
  is ? <Badge tone="info">Discovered</Badge> : "Authored";
const properties = column("properties", "Properties", (summary) => number(summary.properties), true);
const members = (header: string) => column("members", header, (summary) => number(summary.members), true);

export const KIND_COLUMNS: Record<Kind, Column<ListedDefinition>[]> = {
  missions: [
    column("recurrence", "Recurs", ({ recurrence }) => every(recurrence)),
    column("optIn", "Starts", ({ optIn }) => (optIn === "Manual" ? "When accepted" : "By itself")),
    column("rewards", "Rewards", rewards),
  ],
  missionCollections: [members("Missions")],
  streaks: [
    column("cadence", "Cadence", ({ cadence }) => every(cadence)),
    column("source", "Counts", ({ source: key }) => String(key)),
    column("milestones", "Milestones", ({ milestones }) => number(milestones), true),
  ],
  leaderboards: [
    column("source", "Scores", source),
    column("period", "Period", ({ period }) => every(period)),
    column("league", "League", ({ hasLeague }) => (hasLeague ? "Yes" : "–")),
  ],
  segments: [],
  marketplaceItems: [
    column("price", "Price", ({ price }) => plural(price, "point"), true),
    column("stock", "Stock", ({ stock }) => (stock === null ? "No limit" : number(stock)), true),
    column("recurrence", "Rounds", ({ recurrence }) => (recurrence === "None" ? "–" : every(recurrence))),
  ],
  marketplaceCollections: [members("Listings")],
  catalogItems: [column("valueType", "Value", ({ valueType }) => String(valueType))],
  pointsValuations: [
    column("worth", "Worth", ({ points, amount, currency }) => `${plural(points, "point")} = ${String(amount)} ${String(currency)}`),
  ],
  events: [properties, column("discovered", "Origin", discovered)],
  metrics: [column("metricKind", "Kind", ({ metricKind }) => String(metricKind)), properties],
  attributes: [column("type", "Type", ({ type }) => String(type)), column("discovered", "Origin", discovered)],
  exchangeRates: [column("rate", "Rate", ({ rate }) => String(rate), true)],
};
