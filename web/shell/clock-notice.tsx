"use client";

import { Clock } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { useWhere } from "../client/where.tsx";
import { exactly } from "../components/exactly.ts";
import { lengthInWords } from "../components/relative.ts";

/** Banner of a Sandbox whose clock is ahead: its time, and which clock applies to what. */
export function ClockNotice() {
  const { environment, isClockMoved, clockAheadMs, now, timeZone, href } = useWhere();
  const [shown, setShown] = useState(now);
  useEffect(() => {
    const tell = () => setShown(new Date(Date.now() + clockAheadMs).toISOString());
    tell();
    const timer = setInterval(tell, 10_000);
    return () => clearInterval(timer);
  }, [clockAheadMs]);
  if (environment !== "sandbox" || !isClockMoved) return null;
  return (
    <aside
      aria-label="Sandbox clock"
      className="flex flex-wrap items-center gap-x-2 gap-y-0.5 bg-sandbox-soft px-4 py-1.5 text-[0.8125rem] sm:px-6 lg:px-8"
    >
      <Clock className="size-3.5 shrink-0 text-sandbox" aria-hidden />
      <span>
        It is{" "}
        <time className="font-medium tabular-nums" suppressHydrationWarning>
          {exactly(shown, timeZone)}
        </time>{" "}
        in the Sandbox
        {clockAheadMs > 0 && `, ${lengthInWords(clockAheadMs)} ahead of real time`}.
      </span>
      <span className="text-quiet max-md:hidden">What players do is on this clock; changes by people and deliveries are in real time.</span>
      <Link
        href={href("/settings")}
        prefetch={false}
        className="rounded font-medium text-sandbox underline-offset-2 hover:underline sm:ml-auto"
      >
        Sandbox clock
      </Link>
    </aside>
  );
}
