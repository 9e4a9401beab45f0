"use client";

import { useContext, useEffect, useState } from "react";
import { ClockAhead } from "./clock.ts";
import { exactly } from "./exactly.ts";
import { Tooltip } from "./overlay.tsx";
import { relative, relativeToDue } from "./relative.ts";

interface InstantProps {
  /** RFC 3339. */
  value: string;
  timeZone: string;
  /** Given for what happens in the environment: it is on the environment's clock, which goes on from here. Left out: real time. */
  now?: string;
  /** Whether something is due then: "now" where that has passed, never "ago". */
  isDue?: boolean;
}

/** How long ago, or in how long; exactly, in the project's zone, for who points at it, and on which clock where the two differ. */
export function Instant({ value, timeZone, now, isDue = false }: InstantProps) {
  const instant = Date.parse(value);
  const clockAhead = useContext(ClockAhead);
  const ahead = now === undefined ? 0 : clockAhead;
  const words = () => (isDue ? relativeToDue : relative)(instant, Date.now() + ahead);
  const [shown, setShown] = useState(words);
  useEffect(() => {
    const tell = () => setShown((isDue ? relativeToDue : relative)(instant, Date.now() + ahead));
    tell();
    const timer = setInterval(tell, 30_000);
    return () => clearInterval(timer);
  }, [instant, ahead, isDue]);
  if (Number.isNaN(instant)) return <>{value}</>;
  const clock = clockAhead === 0 ? "" : now === undefined ? ", real time" : ", Sandbox clock";
  return (
    <Tooltip content={`${exactly(value, timeZone)} (${timeZone})${clock}`}>
      {/* What the server said may be a minute old in the browser: as wide, so that nothing jumps. */}
      <time dateTime={value} suppressHydrationWarning className="whitespace-nowrap">
        {shown}
      </time>
    </Tooltip>
  );
}
