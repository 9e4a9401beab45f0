"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import { useState } from "react";
import { isDay } from "../../server/model/kernel/calendar.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Segmented } from "../components/choice.tsx";
import { TextInput } from "../components/inputs.tsx";
import { Menu } from "../components/overlay.tsx";
import { dateRange } from "./dates.ts";
import { segmentsQuery } from "./report-query.ts";
import { useReportView } from "./report.tsx";
import { type Preset, presetOf } from "./view.ts";

const RANGES: { value: Preset | "custom"; label: string }[] = [
  { value: "week", label: "This week" },
  { value: "last-week", label: "Last week" },
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
  const chosen = presetOf(view);
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
          onSelect: () =>
            show(value === "custom" ? { range: null, from: range.from, to: range.to } : { range: value, from: null, to: null }),
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
  const segments = useQuery(segmentsQuery(orpc, scope)).data?.rows ?? [];
  if (segments.length === 0 && view.segment === null) return null;
  const name = view.segment === null ? "All players" : (segments.find(({ key }) => key === view.segment)?.name ?? view.segment);
  return (
    <Menu
      align="start"
      trigger={
        <Button aria-label={`Segment: ${name}`} className="max-w-full">
          <span className="truncate">{name}</span>
          <ChevronsUpDown aria-hidden />
        </Button>
      }
      items={[{ key: null, name: "All players" }, ...segments].map((segment) => ({
        label: segment.name,
        isChosen: segment.key === view.segment,
        onSelect: () => show({ segment: segment.key }),
      }))}
    />
  );
}
