"use client";

import { instantInWords } from "#server/model/kernel/dates.ts";
import { useMutation } from "@tanstack/react-query";
import { FlaskConical, RotateCw, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { type Answers, orpc, useRead, useWhere } from "../../client/service.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/overlay.tsx";
import { PagedList, useListed } from "../../components/list-card.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Card, DefinitionItem, Notice, Skeleton } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { PlayerLink } from "../../client/links.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { Code } from "../../components/code.tsx";
import { Instant } from "../../components/time.tsx";

/** Quarantined events: each with its error, for trying and retrying once the cause is fixed. */
export function Quarantine() {
  const { scope, can } = useWhere();
  const toast = useToast();
  const list = useListed((cursor) => orpc.work.quarantined.queryOptions({ input: { ...scope, cursor } }), 10_000);
  const retry = useMutation(
    orpc.work.retryQuarantined.mutationOptions({
      onSuccess: ({ count }) => {
        list.pages.toFirst();
        toast({
          title: count === 1 ? "Retrying the event" : `Retrying ${formatted(count)} events`,
          description: "Events that fail again return here.",
        });
      },
      meta: { failure: "The retry failed", touches: [orpc.work.quarantined.key()] },
    }),
  );
  const mayRetry = can("Support");
  const count = list.data?.count ?? 0;
  return (
    <DevelopersPage
      actions={
        mayRetry &&
        count > 0 && (
          <ConfirmButton
            trigger={
              <Button icon={<RotateCw />} isPending={retry.isPending}>
                Retry all
              </Button>
            }
            title={count === 1 ? "Retry 1 event?" : `Retry ${formatted(count)} events?`}
            confirmLabel="Retry all"
            onConfirm={() => retry.mutateAsync({ ...scope, seqs: null })}
          >
            Each is processed again, in its place among the player's events. Those that fail again return here.
          </ConfirmButton>
        )
      }
    >
      <Card
        title="Quarantine"
        description="Accepted events that could not be processed. They do not delay other events and are kept until you retry them."
        padded={false}
      >
        <PagedList
          label="Quarantine"
          list={list}
          rows={list.data?.facts}
          empty={{ icon: <ShieldCheck />, title: "No quarantined events", words: "Every accepted event was processed." }}
        >
          {(facts) => (
            <ul aria-label="Quarantined events">
              {facts.map((fact) => (
                <QuarantinedFact
                  key={fact.seq}
                  fact={fact}
                  onRetry={mayRetry ? () => retry.mutate({ ...scope, seqs: [fact.seq] }) : null}
                  isRetrying={retry.isPending && retry.variables.seqs?.[0] === fact.seq}
                />
              ))}
            </ul>
          )}
        </PagedList>
      </Card>
    </DevelopersPage>
  );
}

type Fact = Answers["work"]["quarantined"]["facts"][number];

/** One quarantined event: what it is, why it failed, and, with permission to retry, what a retry would do. */
function QuarantinedFact({ fact, onRetry, isRetrying }: { fact: Fact; onRetry: (() => void) | null; isRetrying: boolean }) {
  const { timeZone } = useWhere();
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
              <PlayerLink of={player} className="font-normal text-accent" />
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
              <Button size="sm" icon={<FlaskConical />} onClick={() => setTried(true)} aria-label={`Try ${key ?? "the event"}`}>
                Try
              </Button>
              <Button size="sm" icon={<RotateCw />} isPending={isRetrying} onClick={onRetry} aria-label={`Retry ${key ?? "the event"}`}>
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
            <DefinitionItem term={kind === "Event" ? "Event occurred" : "Metric event occurred"}>
              {instantInWords(occurredAt, timeZone)}
            </DefinitionItem>
            <DefinitionItem term="Received">{instantInWords(receivedAt, timeZone)}</DefinitionItem>
            <DefinitionItem term="Position">{seq}</DefinitionItem>
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
  const { data, error, isFetching, refetch } = useRead(orpc.work.tryQuarantined, { seq }, { staleTime: 0, retry: false });
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
