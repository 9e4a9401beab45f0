"use client";

import { useContext, useEffect, useState } from "react";
import { Clock } from "./clock.ts";
import { exactly } from "./exactly.ts";
import { Tooltip } from "./overlay.tsx";
import { relative, relativeToDue } from "./relative.ts";

interface InstantProps {
  /** RFC 3339. */
  value: string;
  /** Whether it is on the environment's clock, as all that happens there; otherwise it is real time. */
  onClock?: boolean;
  /** The project's when left out. */
  timeZone?: string;
  /** Whether something is due then: "now" where that has passed, never "ago". */
  isDue?: boolean;
}

/** How long ago, or in how long; exactly, in the project's zone, for who points at it, and on which clock where the two differ. */
export function Instant({ value, timeZone, onClock = false, isDue = false }: InstantProps) {
  const instant = Date.parse(value);
  const { timeZone: zoneOfProject, aheadMs } = useContext(Clock);
  const zone = timeZone ?? zoneOfProject;
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
  const clock = aheadMs === 0 ? "" : onClock ? ", Sandbox clock" : ", real time";
  return (
    <Tooltip content={`${exactly(value, zone)} (${zone})${clock}`}>
      {/* What the server said may be a minute old in the browser: as wide, so that nothing jumps. */}
      <time dateTime={value} suppressHydrationWarning className="whitespace-nowrap">
        {shown}
      </time>
    </Tooltip>
  );
}
