"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, LoaderCircle } from "lucide-react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Badge, Card } from "../../components/surface.tsx";
import { exactly } from "../../components/exactly.ts";

const LOOK_EVERY_MS = 2_000;

const STATES = {
  Waiting: { tone: "info", label: "Queued" },
  Counted: { tone: "good", label: "Accepted" },
  Quarantined: { tone: "bad", label: "Quarantined" },
} as const;

/** Incoming events: waits for the first, confirms it, then shows the latest live. */
export function Reception() {
  const { scope, timeZone } = useWhere();
  const { data } = useQuery({ ...orpc.events.reception.queryOptions({ input: scope }), refetchInterval: LOOK_EVERY_MS });
  const last = data?.last ?? [];
  return (
    <Card padded={false} aria-label="Received events">
      <div role="status" className="flex items-center gap-2.5 px-4 py-3">
        {data?.hasReceived ? (
          <CircleCheck className="size-5 shrink-0 text-good" aria-hidden />
        ) : (
          <LoaderCircle className="size-5 shrink-0 text-quiet motion-safe:animate-spin" aria-hidden />
        )}
        <div className="min-w-0 flex-1">
          <div className="font-medium">{data?.hasReceived ? "First event received" : "Waiting for the first event"}</div>
          <div className="text-[0.8125rem] text-quiet">
            {data?.hasReceived ? "New events appear automatically." : "Send the request above. The event appears here when it arrives."}
          </div>
        </div>
      </div>
      {last.length > 0 && (
        <ul aria-label="Recent events" className="border-t border-line">
          {last.map(({ player, key, receivedAt, state }, at) => (
            <li
              key={`${receivedAt} ${at}`}
              className="flex items-center gap-3 border-b border-line px-4 py-2 text-[0.8125rem] last:border-b-0"
            >
              <code className="min-w-0 truncate font-mono text-xs">{key ?? "deleted"}</code>
              <span className="min-w-0 flex-1 truncate text-quiet">{player}</span>
              <span className="text-xs text-quiet max-sm:hidden">{exactly(receivedAt, timeZone)}</span>
              <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
