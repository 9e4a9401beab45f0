import { instantInWords } from "#server/model/kernel/dates.ts";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { cx } from "../../components/classes.ts";
import { everyHour, healthInWords, heightOf, type Hour } from "./health.ts";

import { formatted } from "#server/model/kernel/thousands.ts";
import { Card, Skeleton } from "../../components/surface.tsx";

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
          data-hint={`${instantInWords(hour.at, timeZone)}: ${healthInWords([hour])}${hour.succeeded + hour.failed > 0 ? `, half within ${Math.round(hour.p50)} ms` : ""}`}
          className="relative flex min-w-0 flex-1 flex-col justify-end rounded-xs hover:bg-veil"
        >
          <HealthBar hour={hour} height={heightOf(hour, most)} />
          <span className={cx("mt-0.5 h-1 rounded-full", hour.failed > 0 && "bg-bad")} />
        </span>
      ))}
    </div>
  );
}

function HealthBar({ hour: { succeeded, failed }, height }: { hour: Hour; height: number }) {
  if (height === 0) return <span className="h-px bg-line-strong" />;
  return (
    <span className="flex flex-col overflow-hidden rounded-xs" style={{ height: `${height * 100}%` }}>
      {failed > 0 && <span className="bg-bad" style={{ flexGrow: failed }} />}
      {succeeded > 0 && <span className="bg-good opacity-70" style={{ flexGrow: succeeded }} />}
    </span>
  );
}

/** An endpoint's last 48 hours, as a strip and a table. */
export function HealthCard({ id }: { id: string }) {
  const { timeZone } = useWhere();
  const { data } = useRead(orpc.webhooks.health, {}, { refetchInterval: 30_000 });
  const hours = data?.endpoints.find((endpoint) => endpoint.id === id)?.hours ?? [];
  return (
    <Card title="Last 48 hours" actions={data && <span className="text-[0.8125rem] text-quiet tabular-nums">{healthInWords(hours)}</span>}>
      {data === undefined ? <Skeleton className="h-10" /> : <HealthStrip hours={hours} now={data.now} />}
      {hours.length > 0 && (
        <details className="mt-3">
          <summary className="inline-block cursor-pointer rounded text-xs text-quiet hover:text-ink">Show as a table</summary>
          <div
            className="relative mt-2 max-h-72 overflow-auto rounded-lg border border-line"
            tabIndex={0}
            role="region"
            aria-label="Attempts by hour"
          >
            <table aria-label="Attempts by hour" className="w-full text-left text-xs tabular-nums">
              <thead className="text-quiet">
                <tr className="border-b border-line">
                  {["Hour", "Succeeded", "Failed", "p50", "p95"].map((name, at) => (
                    <th key={name} scope="col" className={`px-3 py-1.5 font-medium ${at > 0 ? "text-right" : ""}`}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {hours.toReversed().map(({ at, succeeded, failed, p50, p95 }) => (
                  <tr key={at} className="border-b border-line last:border-b-0">
                    <td className="px-3 py-1 whitespace-nowrap">{instantInWords(at, timeZone)}</td>
                    {[formatted(succeeded), formatted(failed), `${formatted(Math.round(p50))} ms`, `${formatted(Math.round(p95))} ms`].map(
                      (text, column) => (
                        <td key={column} className="px-3 py-1 text-right whitespace-nowrap">
                          {text}
                        </td>
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </Card>
  );
}
