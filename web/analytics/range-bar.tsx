import { dateRange } from "../../server/model/kernel/dates.ts";
import { formatted } from "../../server/model/kernel/thousands.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isDay } from "../../server/model/kernel/calendar.ts";
import { orpc, useWhere } from "../client/service.tsx";
import { ChoiceMenu } from "../components/choice-menu.tsx";
import { choices, Segmented } from "../components/choice.tsx";
import { TextInput } from "../components/inputs.tsx";
import { segmentsQuery } from "./report-query.ts";
import { useReportView } from "./report.tsx";
import { coveredBy, type Preset, presetOf } from "./view.ts";

const RANGES = choices<Preset | "custom", string>({
  week: "This week",
  "last-week": "Last week",
  "7d": "Last 7 days",
  "28d": "Last 28 days",
  "90d": "Last 90 days",
  month: "This month",
  custom: "Custom range",
});

export function RangeBar({ isDivided = true, isOfSegments = false }: { isDivided?: boolean; isOfSegments?: boolean }) {
  const { view, range, today, show } = useReportView();
  const { timeZone } = useWhere();
  const chosen = presetOf(view);
  const covered = coveredBy(range, today);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <ChoiceMenu
        label="Range"
        value={chosen}
        onValueChange={(next) =>
          show(next === "custom" ? { range: null, from: range.from, to: range.to } : { range: next, from: null, to: null })
        }
        options={RANGES}
      />
      {chosen === "custom" && <CustomDays />}
      {isDivided && (
        <Segmented
          label="Divided by"
          value={range.by}
          onValueChange={(by) => show({ by })}
          options={choices({ Day: "Day", Week: "Week", Month: "Month" })}
        />
      )}
      {isOfSegments && <SegmentChoice />}
      <p className="text-[0.8125rem] text-quiet max-sm:w-full sm:ml-auto">
        {dateRange(covered.from, covered.to)}, {timeZone} time
      </p>
    </div>
  );
}

/** The dates apply once both are filled in and in order. While one is typed, they stay as typed, whatever range the report makes of them. */
function CustomDays() {
  const { range, today, show } = useReportView();
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const change = (nextFrom: string, nextTo: string) => {
    setFrom(nextFrom);
    setTo(nextTo);
    if (isDay(nextFrom) && isDay(nextTo) && nextFrom <= nextTo) show({ range: null, from: nextFrom, to: nextTo });
  };
  return (
    <>
      <TextInput
        type="date"
        aria-label="From"
        className="w-36 max-sm:flex-1"
        max={to}
        value={from}
        onValueChange={(date) => change(date, to)}
      />
      <TextInput
        type="date"
        aria-label="To"
        className="w-36 max-sm:flex-1"
        min={from}
        max={today}
        value={to}
        onValueChange={(date) => change(from, date)}
      />
    </>
  );
}

/** Segment filter of a report. Hidden without segments. */
function SegmentChoice() {
  const { scope } = useWhere();
  const { view, show } = useReportView();
  const { rows: segments = [], total = 0 } = useQuery(segmentsQuery(orpc, scope)).data ?? {};
  if (segments.length === 0 && view.segment === null) return null;
  return (
    <>
      <ChoiceMenu<string | null>
        label="Segment"
        value={view.segment}
        onValueChange={(segment) => show({ segment })}
        options={[{ value: null, label: "All players" }, ...segments.map(({ key, name }) => ({ value: key, label: name }))]}
      />
      {total > segments.length && (
        <p className="text-xs text-quiet">
          The first {segments.length} of {formatted(total)} segments by name.
        </p>
      )}
    </>
  );
}
