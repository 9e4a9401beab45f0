import type { ReactNode } from "react";
import type { Answers } from "../../client/service.tsx";
import type { SORTED_FIELDS } from "#server/model/rules/summary.ts";
import { CALENDAR_PERIODS, everyInWords } from "#server/model/kernel/calendar.ts";
import { capitalised, formatted, plural } from "#server/model/kernel/thousands.ts";
import { Badge } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import type { Column } from "../../components/table.tsx";
import { typeName } from "../document/labels.ts";
import { SourceName } from "./source-name.tsx";

export type ListedDefinition = Answers["definitions"]["list"]["rows"][number];

type Summary = ListedDefinition["summary"];

/** A column specific to a kind; hidden on narrow screens. */
export const summaryColumn = (
  id: string,
  header: string,
  cell: (summary: Summary) => ReactNode,
  isNumeric = false,
  sortKey?: (typeof SORTED_FIELDS)[number],
): Column<ListedDefinition> => ({
  id,
  header,
  isNumeric,
  sortKey,
  className: "max-md:hidden",
  cell: ({ summary }) => <span className="whitespace-nowrap text-quiet">{cell(summary)}</span>,
});

const PERIODS: Record<string, string> = {
  None: "Once",
  ...Object.fromEntries(CALENDAR_PERIODS.map((every) => [every, everyInWords(every)])),
  AfterCompletion: "After completion",
  AllTime: "All time",
  Season: "Season",
};

/** "Every week": a recurrence, a cadence or a period. */
export const periodWords = (value: unknown): string => PERIODS[String(value)] ?? String(value);

/** "Yes or no": a type as the forms call it. */
export const typeWords = (type: unknown): string => capitalised(typeName(String(type)));

/** "100 points + 2 items" */
export const rewardWords = ({ points, items }: Summary): string =>
  [points ? plural(points, "point") : "", items ? plural(items, "item") : ""].filter(Boolean).join(" + ") || "–";

export const properties = summaryColumn("properties", "Properties", (summary) => formatted(summary.properties), true, "properties");

export const discovered = summaryColumn("discovered", "Origin", (summary) =>
  summary.discovered ? <Badge tone="info">Discovered</Badge> : "Authored",
);

export const members = (header: string) => summaryColumn("members", header, (summary) => formatted(summary.members), true, "members");

/** What a streak counts, or a leaderboard ranks by. */
export const source = (header: string) =>
  summaryColumn("source", header, (summary) =>
    summary.source === "Points" ? "Points earned" : <SourceName of={String(summary.sourceKey ?? summary.source)} />,
  );

export const audience: Column<ListedDefinition> = {
  ...summaryColumn("audience", "Audience", ({ hasAudience }) => (hasAudience ? "Specific players" : "Everyone")),
  className: "max-xl:hidden",
};

/** "Ends in 5 days", on the environment's clock; nothing without an end. */
export const endWords = (endsAt: unknown, now: string): readonly ReactNode[] =>
  typeof endsAt !== "string"
    ? []
    : [
        <span key="end" className="relative">
          {Date.parse(endsAt) > Date.parse(now) ? "Ends" : "Ended"} <Instant value={endsAt} onClock />
        </span>,
      ];
