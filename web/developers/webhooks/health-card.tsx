"use client";

import { useQuery } from "@tanstack/react-query";
import { formatted } from "#server/model/kernel/thousands.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { exactly } from "../../components/exactly.ts";
import { Card, Skeleton } from "../../components/surface.tsx";
import { healthInWords } from "./health.ts";
import { HealthStrip } from "./health-strip.tsx";

/** An endpoint's last 48 hours, as a strip and a table. */
export function HealthCard({ id }: { id: string }) {
  const { scope, timeZone } = useWhere();
  const { data } = useQuery({ ...orpc.webhooks.health.queryOptions({ input: scope }), refetchInterval: 30_000 });
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
                    <td className="px-3 py-1 whitespace-nowrap">{exactly(at, timeZone)}</td>
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
