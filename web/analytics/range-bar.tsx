"use client";

import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Segmented } from "../components/choice.tsx";
import { TextInput } from "../components/inputs.tsx";
import { Menu } from "../components/overlay.tsx";
import { dateRange } from "./dates.ts";
import { useReportView } from "./report-view.tsx";
import { SegmentChoice } from "./segment-choice.tsx";
import { isDate, type Preset } from "./view.ts";

const RANGES: { value: Preset | "custom"; label: string }[] = [
  { value: "7d", label: "Last 7 days" },
  { value: "28d", label: "Last 28 days" },
  { value: "90d", label: "Last 90 days" },
  { value: "month", label: "This month" },
  { value: "custom", label: "Custom range" },
];

/** The range of a report and its division into periods. */
export function RangeBar({ isDivided = true, isOfSegments = false }: { isDivided?: boolean; isOfSegments?: boolean }) {
  const { view, range, show } = useReportView();
  const { timeZone } = useWhere();
  const chosen = typeof view.range === "object" ? "custom" : view.range;
  const { label } = RANGES.find(({ value }) => value === chosen)!;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <Menu
        align="start"
        trigger={
          <Button aria-label={`Range: ${label}`}>
            {label}
            <ChevronsUpDown aria-hidden />
          </Button>
        }
        items={RANGES.map(({ value, label: words }) => ({
          label: words,
          isChosen: value === chosen,
          onSelect: () => show({ range: value === "custom" ? { from: range.from, to: range.to } : value }),
        }))}
      />
      {chosen === "custom" && <CustomDays key={`${range.from} ${range.to}`} />}
      {isDivided && (
        <Segmented
          label="Divided by"
          value={range.by}
          onValueChange={(by) => show({ by })}
          options={[
            { value: "Day", label: "Day" },
            { value: "Week", label: "Week" },
            { value: "Month", label: "Month" },
          ]}
        />
      )}
      {isOfSegments && <SegmentChoice />}
      <p className="text-[0.8125rem] text-quiet max-sm:w-full sm:ml-auto">
        {dateRange(range.from, range.to)}, {timeZone} time
      </p>
    </div>
  );
}

/** The dates apply once both are filled in and in order. */
function CustomDays() {
  const { range, today, show } = useReportView();
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const change = (nextFrom: string, nextTo: string) => {
    setFrom(nextFrom);
    setTo(nextTo);
    if (isDate(nextFrom) && isDate(nextTo) && nextFrom <= nextTo) show({ range: { from: nextFrom, to: nextTo } });
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
