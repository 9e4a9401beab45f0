import { instantInWords } from "#server/model/kernel/dates.ts";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { cx } from "../../components/classes.ts";
import { everyHour, healthInWords, heightOf, type Hour } from "./health.ts";

import { formatted } from "#server/model/kernel/thousands.ts";
import { FigureTable } from "../../components/figure-table.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Card } from "../../components/surface.tsx";

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
  const health = useRead(orpc.webhooks.health, {}, { refetchInterval: 30_000 });
  const { data } = health;
  const hours = data?.endpoints.find((endpoint) => endpoint.id === id)?.hours ?? [];
  return (
    <Card title="Last 48 hours" actions={data && <span className="text-[0.8125rem] text-quiet tabular-nums">{healthInWords(hours)}</span>}>
      <Loaded of={health} what="The attempts" className="h-10">
        {({ now }) => <HealthStrip hours={hours} now={now} />}
      </Loaded>
      {/* Keeps its place while it is empty: the first attempt must not move the list below under a pointer. */}
      <details className={cx("mt-3", hours.length === 0 && "invisible")}>
        <summary className="inline-block cursor-pointer rounded text-xs text-quiet hover:text-ink">Show as a table</summary>
        <div
          className="relative mt-2 max-h-72 overflow-auto rounded-lg border border-line"
          tabIndex={0}
          role="region"
          aria-label="Attempts by hour"
        >
          <FigureTable
            isInset
            label="Attempts by hour"
            headings={["Hour", "Succeeded", "Failed", "p50", "p95"]}
            rows={hours.toReversed().map(({ at, succeeded, failed, p50, p95 }) => ({
              id: at,
              name: instantInWords(at, timeZone),
              cells: [formatted(succeeded), formatted(failed), `${formatted(Math.round(p50))} ms`, `${formatted(Math.round(p95))} ms`],
            }))}
          />
        </div>
      </details>
    </Card>
  );
}
