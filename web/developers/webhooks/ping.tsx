"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Radio } from "lucide-react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Badge, Card, Notice } from "../../components/surface.tsx";

/** Sends a signed ping, and shows the response. */
export function Ping({ id }: { id: string }) {
  const { scope } = useWhere();
  const queryClient = useQueryClient();
  // A successful ping ends the endpoint's failing state.
  const ping = useMutation(
    orpc.webhooks.ping.mutationOptions({ onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.webhooks.list.key() }) }),
  );
  const answer = ping.data;
  return (
    <Card
      title="Ping"
      description="A signed request with the event “ping” and no data. Not logged or retried."
      aria-label="Ping"
      actions={
        <Button icon={<Radio aria-hidden />} isPending={ping.isPending} onClick={() => ping.mutate({ ...scope, id })}>
          Send a ping
        </Button>
      }
    >
      <div role="status" className="empty:hidden">
        {ping.isError && <Notice tone="bad">{problemOf(ping.error)}</Notice>}
        {answer && !ping.isPending && (
          <div className="flex flex-col gap-3">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={answer.isAccepted ? "good" : "bad"}>{answer.status ?? "No response"}</Badge>
              <span>{answer.words}</span>
              <span className="text-quiet tabular-nums">{answer.durationMs} ms</span>
            </p>
            {answer.excerpt && (
              <div>
                <div className="mb-1 text-xs text-quiet">Response</div>
                <pre
                  tabIndex={0}
                  className="max-h-48 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
                >
                  {answer.excerpt}
                </pre>
              </div>
            )}
          </div>
        )}
      </div>
      {!ping.isError && !answer && <p className="text-quiet">Nothing sent yet.</p>}
    </Card>
  );
}
