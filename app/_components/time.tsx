"use client";

import { useEffect, useState } from "react";
import { Tooltip } from "./overlay.tsx";

interface InstantProps {
  /** RFC 3339. */
  value: string;
  timeZone: string;
  /** The present of the environment, RFC 3339; real time when left out. */
  now?: string;
}

/** How long ago, or in how long; exactly, in the project's zone, for who points at it. */
export function Instant({ value, timeZone, now }: InstantProps) {
  const instant = Date.parse(value);
  const [shown, setShown] = useState(() => exactly(value, timeZone));
  useEffect(() => {
    // What the server would say differs from what the browser would, a moment later.
    const tell = () => setShown(relative(instant - (now === undefined ? Date.now() : Date.parse(now))));
    tell();
    const timer = setInterval(tell, 30_000);
    return () => clearInterval(timer);
  }, [instant, now]);
  if (Number.isNaN(instant)) return <>{value}</>;
  return (
    <Tooltip content={`${exactly(value, timeZone)} (${timeZone})`}>
      <time dateTime={value} className="whitespace-nowrap">
        {shown}
      </time>
    </Tooltip>
  );
}

const UNITS = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

function relative(apart: number): string {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const [unit, length] = UNITS.find(([, size]) => Math.abs(apart) >= size) ?? ["second", 1_000];
  return unit === "second" && Math.abs(apart) < 45_000 ? "just now" : format.format(Math.round(apart / length), unit);
}

/** "29 Mar 2026, 09:30", in a zone. */
export const exactly = (value: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(value));
