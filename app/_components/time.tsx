"use client";

import { useEffect, useState } from "react";
import { exactly } from "./exactly.ts";
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
  const [shown, setShown] = useState(() => relative(instant, now));
  useEffect(() => {
    const tell = () => setShown(relative(instant, now));
    tell();
    const timer = setInterval(tell, 30_000);
    return () => clearInterval(timer);
  }, [instant, now]);
  if (Number.isNaN(instant)) return <>{value}</>;
  return (
    <Tooltip content={`${exactly(value, timeZone)} (${timeZone})`}>
      {/* What the server said may be a minute old in the browser: as wide, so that nothing jumps. */}
      <time dateTime={value} suppressHydrationWarning className="whitespace-nowrap">
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

function relative(instant: number, now: string | undefined): string {
  const apart = instant - (now === undefined ? Date.now() : Date.parse(now));
  const found = UNITS.find(([, size]) => Math.abs(apart) >= size);
  if (Number.isNaN(apart) || found === undefined) return "just now";
  const [unit, length] = found;
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(apart / length), unit);
}
