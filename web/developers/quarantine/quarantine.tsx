"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { formatted } from "#server/model/kernel/thousands.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { problemOf, ReadFailed } from "../../components/problems.tsx";
import { Card, EmptyState, Skeleton } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { DevelopersPage } from "../developers-page.tsx";
import { QuarantinedFact } from "./quarantined-fact.tsx";

/** Quarantined events: each with its error, for trying and retrying once the cause is fixed. */
export function Quarantine() {
  const { scope, can } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const pages = usePages();
  const [isAsked, setAsked] = useState(false);
  const { data, error, refetch } = useQuery({
    ...orpc.work.quarantined.queryOptions({ input: { ...scope, cursor: pages.cursor } }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const retry = useMutation(
    orpc.work.retryQuarantined.mutationOptions({
      onSuccess: ({ count }) => {
        pages.toFirst();
        toast({
          title: count === 1 ? "Retrying the event" : `Retrying ${formatted(count)} events`,
          description: "Events that fail again return here.",
        });
      },
      onError: (failed) => toast({ title: "The retry failed", description: problemOf(failed), tone: "bad" }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: orpc.work.quarantined.key() }),
    }),
  );
  const mayRetry = can("Support");
  const count = data?.count ?? 0;
  return (
    <DevelopersPage
      actions={
        mayRetry &&
        count > 0 && (
          <Button icon={<RotateCw aria-hidden />} isPending={retry.isPending} onClick={() => setAsked(true)}>
            Retry all
          </Button>
        )
      }
    >
      <ReadFailed title="The quarantine could not be loaded" error={error} onRetry={refetch} />
      <Card
        title="Quarantine"
        description="Accepted events that could not be processed. They do not delay other events and are kept until you retry them."
        padded={false}
      >
        {data === undefined ? (
          <Skeleton className="m-4 h-24" />
        ) : data.facts.length === 0 ? (
          <EmptyState icon={<ShieldCheck aria-hidden />} title="No quarantined events">
            Every accepted event was processed.
          </EmptyState>
        ) : (
          <ul aria-label="Quarantined events">
            {data.facts.map((fact) => (
              <QuarantinedFact key={fact.seq} fact={fact} onRetry={mayRetry ? () => retry.mutate({ ...scope, seqs: [fact.seq] }) : null} />
            ))}
          </ul>
        )}
        <Pager pages={pages} next={data?.next} />
      </Card>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={count === 1 ? "Retry 1 event?" : `Retry ${formatted(count)} events?`}
        confirmLabel="Retry all"
        onConfirm={() => retry.mutateAsync({ ...scope, seqs: null })}
      >
        Each is processed once more, in its place among the player's events. Those that fail again return here.
      </ConfirmDialog>
    </DevelopersPage>
  );
}
