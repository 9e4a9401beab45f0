"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical, RotateCw } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import type { DashboardClient } from "#server/api/dashboard.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/code.tsx";
import { exactly } from "../../components/exactly.ts";
import { problemOf } from "../../components/problems.tsx";
import { Definition, Notice, Skeleton } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";

type Fact = Awaited<ReturnType<DashboardClient["work"]["quarantined"]>>["facts"][number];

/** One quarantined event: what it is, why it failed, and, with permission to retry, what a retry would do. */
export function QuarantinedFact({ fact, onRetry }: { fact: Fact; onRetry: (() => void) | null }) {
  const { timeZone, href } = useWhere();
  const [isTried, setTried] = useState(false);
  const { seq, key, player, kind, occurredAt, receivedAt, quarantinedAt, content, words, error } = fact;
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-mono text-xs font-medium wrap-anywhere">{key ?? "deleted"}</code>
            {player === null ? (
              <span className="text-quiet">a deleted player</span>
            ) : (
              <Link href={href(`/players/${encodeURIComponent(player)}`)} className="rounded wrap-anywhere text-accent hover:underline">
                {player}
              </Link>
            )}
            <span className="text-xs text-quiet">
              in quarantine since <Instant value={quarantinedAt} />
            </span>
          </div>
          <p className="mt-1 text-[0.8125rem]">{words}</p>
        </div>
        <div className="flex gap-2">
          {onRetry && (
            <>
              <Button size="sm" icon={<FlaskConical aria-hidden />} onClick={() => setTried(true)} aria-label={`Try ${key ?? "the event"}`}>
                Try
              </Button>
              <Button size="sm" icon={<RotateCw aria-hidden />} onClick={onRetry} aria-label={`Retry ${key ?? "the event"}`}>
                Retry
              </Button>
            </>
          )}
        </div>
      </div>
      {isTried && <Rehearsal seq={seq} />}
      <details>
        <summary className="inline-block cursor-pointer rounded text-xs text-quiet hover:text-ink">Details</summary>
        <div className="mt-2 flex flex-col gap-3">
          <dl className="grid gap-3 sm:grid-cols-3">
            <Definition term={kind === "Event" ? "Event occurred" : "Metric event occurred"}>{exactly(occurredAt, timeZone)}</Definition>
            <Definition term="Received">{exactly(receivedAt, timeZone)}</Definition>
            <Definition term="Position">{seq}</Definition>
          </dl>
          <div>
            <h3 className="mb-1 text-xs font-medium">{kind === "Event" ? "Properties" : "Amount"}</h3>
            <Code text={content} label="Copy content" />
          </div>
          <div>
            <h3 className="mb-1 text-xs font-medium">Error</h3>
            <Code text={error} label="Copy error" />
          </div>
        </div>
      </details>
    </li>
  );
}

/** Preview of a retry. Nothing is saved. */
function Rehearsal({ seq }: { seq: string }) {
  const { scope } = useWhere();
  const { data, error, isFetching, refetch } = useQuery({
    ...orpc.work.tryQuarantined.queryOptions({ input: { ...scope, seq } }),
    staleTime: 0,
    retry: false,
  });
  const again = (
    <Button size="sm" variant="ghost" isPending={isFetching} onClick={() => void refetch()}>
      Try again
    </Button>
  );
  return (
    <div role="status">
      {error ? (
        <Notice tone="bad" action={again}>
          {problemOf(error)}
        </Notice>
      ) : data === undefined ? (
        <Skeleton className="h-10" />
      ) : data.isApplied ? (
        <Notice tone="good" title="A retry would succeed" action={again}>
          {data.changes.length === 0 ? (
            "It would change nothing: no mission, streak or leaderboard counts it."
          ) : (
            <ul className="list-disc pl-4">
              {data.changes.map((change, at) => (
                <li key={at}>{change}</li>
              ))}
            </ul>
          )}
        </Notice>
      ) : (
        <Notice tone="warn" title="A retry would fail again" action={again}>
          {data.words}
        </Notice>
      )}
    </div>
  );
}
