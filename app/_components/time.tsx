"use client";

import { useEffect, useState } from "react";
import { exactly } from "./exactly.ts";
import { Tooltip } from "./overlay.tsx";
import { relative } from "./relative.ts";

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
  const [shown, setShown] = useState(() => relative(instant, now === undefined ? Date.now() : Date.parse(now)));
  useEffect(() => {
    const tell = () => setShown(relative(instant, now === undefined ? Date.now() : Date.parse(now)));
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
