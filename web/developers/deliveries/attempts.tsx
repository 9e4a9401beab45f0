"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { useWhere } from "../../client/where.tsx";
import { exactly } from "../../components/exactly.ts";
import { Badge } from "../../components/surface.tsx";
import { Answer, Headers } from "./answer.tsx";

type Delivery = Awaited<ReturnType<DashboardClient["webhooks"]["delivery"]>>;

/** Attempts of a delivery with their results; each expands to request and response. */
export function Attempts({ delivery }: { delivery: Delivery }) {
  const { timeZone } = useWhere();
  const { attemptsMade, nextAttemptAt } = delivery;
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">Attempts</h3>
      <ol aria-label="Attempts" className="rounded-lg border border-line">
        {attemptsMade.map((attempt) => (
          <AttemptRow key={attempt.number} delivery={delivery} attempt={attempt} />
        ))}
        {nextAttemptAt !== null && (
          <li className="px-3 py-2 text-[0.8125rem] text-quiet">Next attempt: {exactly(nextAttemptAt, timeZone)}</li>
        )}
        {attemptsMade.length === 0 && nextAttemptAt === null && <li className="px-3 py-2 text-[0.8125rem] text-quiet">No attempts yet</li>}
      </ol>
    </div>
  );
}

function AttemptRow({ delivery, attempt }: { delivery: Delivery; attempt: Delivery["attemptsMade"][number] }) {
  const { timeZone } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const { number, startedAt, durationMs, responseStatus, error, words, requestHeaders, hasAnswer } = attempt;
  return (
    <li className="flex flex-col gap-1 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={responseStatus !== null && responseStatus >= 200 && responseStatus < 300 ? "good" : "bad"}>
          {responseStatus ?? "No response"}
        </Badge>
        <span className="text-quiet tabular-nums">
          {exactly(startedAt, timeZone)}, {durationMs} ms
        </span>
      </span>
      <span>{words}</span>
      {error && <code className="font-mono text-xs wrap-anywhere text-quiet">{error}</code>}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
        <summary className="relative inline-flex cursor-pointer items-center gap-1 rounded text-xs text-quiet hover:text-ink">
          <ChevronRight className="size-3.5 group-open:rotate-90" aria-hidden />
          Request and response
          <span className="sr-only">of attempt {number}</span>
        </summary>
        {isOpen && (
          <div className="mt-2 flex flex-col gap-3">
            <div>
              <h4 className="mb-1 text-xs font-medium">Request headers</h4>
              <Headers headers={requestHeaders} />
            </div>
            {hasAnswer ? (
              <Answer endpointId={delivery.endpointId} deliveryId={delivery.id} number={number} />
            ) : (
              <p className="text-xs text-quiet">
                {responseStatus === null ? "No response came." : "The response had no body, or is older than 30 days."}
              </p>
            )}
          </div>
        )}
      </details>
    </li>
  );
}
