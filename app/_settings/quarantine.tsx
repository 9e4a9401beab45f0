"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { orpc } from "../_client/rpc.ts";
import type { DashboardClient } from "../../server/api/dashboard.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Code } from "../_components/code.tsx";
import { problemOf } from "../_components/problems.tsx";
import { Card, Skeleton } from "../_components/surface.tsx";
import { exactly } from "../_components/exactly.ts";
import { useToast } from "../_components/toast.tsx";

type Fact = Awaited<ReturnType<DashboardClient["work"]["quarantined"]>>["facts"][number];

/** Accepted events that could not be counted: each with its error, to be tried once more when its cause is gone. */
export function Quarantine() {
  const { scope, can } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...orpc.work.quarantined.queryOptions({ input: scope }), refetchInterval: 10_000 });
  const retry = useMutation(
    orpc.work.retryQuarantined.mutationOptions({
      onSuccess: ({ count }) =>
        toast({
          title: count === 1 ? "Retrying the event" : `Retrying ${count} events`,
          description: "Events that fail again return here.",
        }),
      onError: (error) => toast({ title: "The retry failed", description: problemOf(error), tone: "bad" }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: orpc.work.quarantined.key() }),
    }),
  );
  const mayRetry = can("Editor");
  const facts = data?.facts ?? [];
  return (
    <Card
      id="quarantine"
      title="Quarantine"
      description="Accepted events that could not be processed. They do not delay other events and are kept until you retry them."
      padded={false}
      actions={
        mayRetry &&
        facts.length > 0 && (
          <Button
            size="sm"
            icon={<RotateCw aria-hidden />}
            isPending={retry.isPending}
            onClick={() => retry.mutate({ ...scope, seqs: null })}
          >
            Retry all
          </Button>
        )
      }
    >
      {data === undefined ? (
        <Skeleton className="m-4 h-10" />
      ) : facts.length === 0 ? (
        <p className="px-4 py-3 text-quiet">No quarantined events.</p>
      ) : (
        <ul aria-label="Quarantined events">
          {facts.map((fact) => (
            <Row key={fact.seq} fact={fact} onRetry={mayRetry ? () => retry.mutate({ ...scope, seqs: [fact.seq] }) : null} />
          ))}
        </ul>
      )}
      {data?.next && <p className="border-t border-line px-4 py-2 text-[0.8125rem] text-quiet">These are the first; there are more.</p>}
    </Card>
  );
}

function Row({ fact: { key, player, receivedAt, content, error }, onRetry }: { fact: Fact; onRetry: (() => void) | null }) {
  const { timeZone } = useWhere();
  return (
    <li className="border-b border-line px-4 py-2.5 last:border-b-0">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 rounded">
          <code className="font-mono text-xs">{key ?? "deleted"}</code>
          <span className="min-w-0 flex-1 truncate">{player ?? "a deleted player"}</span>
          <span className="text-xs text-quiet">{exactly(receivedAt, timeZone)}</span>
        </summary>
        <div className="mt-2 flex flex-col gap-2">
          <Code text={content} label="Copy content" />
          <Code text={error} label="Copy error" />
        </div>
      </details>
      <div className="mt-1 flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-xs text-bad">{error.split("\n")[0]}</span>
        {onRetry && (
          <Button size="sm" onClick={onRetry}>
            Retry
          </Button>
        )}
      </div>
    </li>
  );
}
