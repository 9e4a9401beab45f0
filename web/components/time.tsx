"use client";

import { instantInWords, timeOf } from "../../server/model/kernel/dates.ts";
import { createContext, useContext, useEffect, useState } from "react";
import { Tooltip } from "./overlay.tsx";
import { relative, relativeToDue } from "./relative.ts";

interface InstantProps {
  /** RFC 3339. */
  value: string;
  /** Whether it is on the environment's clock, like player activity; otherwise it is real time. */
  onClock?: boolean;
  /** Whether it is a due time: shown as "now" once past, never "ago". */
  isDue?: boolean;
}

/** Relative time, with the exact time in the project's zone as a tooltip, naming the clock where the two differ. */
export function Instant({ value, onClock = false, isDue = false }: InstantProps) {
  const instant = Date.parse(value);
  const { timeZone, aheadMs } = useContext(ClockContext);
  const ahead = onClock ? aheadMs : 0;
  const words = () => (isDue ? relativeToDue : relative)(instant, Date.now() + ahead);
  const [shown, setShown] = useState(words);
  useEffect(() => {
    const tell = () => setShown((isDue ? relativeToDue : relative)(instant, Date.now() + ahead));
    tell();
    const timer = setInterval(tell, 30_000);
    return () => clearInterval(timer);
  }, [instant, ahead, isDue]);
  if (Number.isNaN(instant)) return <>{value}</>;
  return (
    <Tooltip content={`${instantInWords(value, timeZone)} (${timeZone})${clockWords(aheadMs, onClock)}`}>
      {/* The server's text may be a minute old in the browser: a fixed width avoids a layout shift. */}
      <time dateTime={value} suppressHydrationWarning className="whitespace-nowrap">
        {shown}
      </time>
    </Tooltip>
  );
}

/** The time of a day that is shown above it, with the exact time as a tooltip. */
export function TimeOfDay({ value, onClock = false }: Pick<InstantProps, "value" | "onClock">) {
  const { timeZone, aheadMs } = useContext(ClockContext);
  return (
    <Tooltip content={`${instantInWords(value, timeZone)} (${timeZone})${clockWords(aheadMs, onClock)}`}>
      <time dateTime={value}>{timeOf(value, timeZone)}</time>
    </Tooltip>
  );
}

const clockWords = (aheadMs: number, onClock: boolean): string => (aheadMs === 0 ? "" : onClock ? ", Sandbox clock" : ", real time");

/** The project's zone, and how far the environment's clock is ahead of real time, in milliseconds. */
export const ClockContext = createContext({ timeZone: "UTC", aheadMs: 0 });
