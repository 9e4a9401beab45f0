"use client";

import { useWhere } from "../../client/where.tsx";
import { cx } from "../../components/classes.ts";
import { exactly } from "../../components/exactly.ts";
import { everyHour, healthInWords, heightOf, type Hour } from "./health.ts";

interface HealthStripProps {
  hours: readonly Hour[];
  /** RFC 3339. */
  now: string;
  className?: string;
}

/**
 * An endpoint's last 48 hours, one bar per hour. Failures hang from the top and have a mark below, so that they are visible without colour;
 * the table has the numbers.
 */
export function HealthStrip({ hours, now, className }: HealthStripProps) {
  const { timeZone } = useWhere();
  const all = everyHour(hours, now);
  const most = Math.max(...all.map(({ succeeded, failed }) => succeeded + failed));
  return (
    <div role="img" aria-label={`Last 48 hours: ${healthInWords(all)}`} className={cx("flex h-10 items-stretch gap-px", className)}>
      {all.map((hour) => (
        <span
          key={hour.at}
          data-hint={`${exactly(hour.at, timeZone)}: ${healthInWords([hour])}${hour.succeeded + hour.failed > 0 ? `, half within ${Math.round(hour.p50)} ms` : ""}`}
          className="relative flex min-w-0 flex-1 flex-col justify-end rounded-xs hover:bg-veil"
        >
          <Bar hour={hour} height={heightOf(hour, most)} />
          <span className={cx("mt-0.5 h-1 rounded-full", hour.failed > 0 && "bg-bad")} />
        </span>
      ))}
    </div>
  );
}

function Bar({ hour: { succeeded, failed }, height }: { hour: Hour; height: number }) {
  if (height === 0) return <span className="h-px bg-line-strong" />;
  return (
    <span className="flex flex-col overflow-hidden rounded-xs" style={{ height: `${height * 100}%` }}>
      {failed > 0 && <span className="bg-bad" style={{ flexGrow: failed }} />}
      {succeeded > 0 && <span className="bg-good opacity-70" style={{ flexGrow: succeeded }} />}
    </span>
  );
}
