"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Code, CopyButton } from "../_components/code.tsx";
import { Sheet } from "../_components/overlay.tsx";
import { problemOf } from "../_components/problems.tsx";
import { Badge, Notice, Skeleton } from "../_components/surface.tsx";
import { exactly } from "../_components/exactly.ts";
import { useToast } from "../_components/toast.tsx";
import { indented } from "../_components/indented.ts";
import { DeliveryState, heldInWords } from "./delivery-state.tsx";

interface Props {
  endpointId: string;
  isOn: boolean;
  /** Null: none is looked at. */
  deliveryId: string | null;
  onClose(): void;
}

/** A delivery with its attempts and the body that goes with each, and a button that sends it once more. */
export function DeliverySheet({ endpointId, isOn, deliveryId, onClose }: Props) {
  const { scope, can } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const input = { ...scope, id: endpointId, deliveryId: deliveryId ?? "" };
  const { data, error } = useQuery({
    ...orpc.webhooks.delivery.queryOptions({ input }),
    enabled: deliveryId !== null,
    refetchInterval: 2_000,
  });
  const retry = useMutation(
    orpc.webhooks.retry.mutationOptions({
      onSuccess: () => toast({ title: "Sending again" }),
      onError: (failed) => toast({ title: "Could not send again", description: problemOf(failed), tone: "bad" }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: orpc.webhooks.key() }),
    }),
  );
  const held = data === undefined ? null : heldInWords(data);
  return (
    <Sheet
      open={deliveryId !== null}
      onOpenChange={(open) => !open && onClose()}
      title={data?.event ?? "Delivery"}
      actions={
        can("Admin") &&
        data?.resendProblem === null && (
          <Button
            size="sm"
            icon={<RotateCw aria-hidden />}
            isPending={retry.isPending}
            disabled={!isOn || data.isUnderWay}
            onClick={() => retry.mutate(input)}
          >
            {data.status === "Delivered" ? "Send again" : "Retry now"}
          </Button>
        )
      }
    >
      {error ? (
        <Notice tone="bad">{problemOf(error)}</Notice>
      ) : data === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center gap-2">
            <DeliveryState delivery={data} />
            <code className="font-mono text-xs wrap-anywhere">{data.id}</code>
            <CopyButton text={data.id} label="Copy ID" />
          </div>
          {held !== null && <Notice tone="neutral">{held}</Notice>}
          {can("Admin") && data.resendProblem !== null && <Notice tone="neutral">{data.resendProblem}</Notice>}
          {can("Admin") && data.resendProblem === null && !isOn && data.status !== "Held" && (
            <Notice tone="neutral">The endpoint is off. Switch it on to send this again.</Notice>
          )}
          <Attempts attempts={data.attemptsMade} nextAttemptAt={data.nextAttemptAt} />
          <div>
            <h3 className="mb-1.5 text-sm font-semibold">Body</h3>
            <Code text={indented(data.body)} label="Copy body" />
          </div>
        </div>
      )}
    </Sheet>
  );
}

interface Attempt {
  number: number;
  startedAt: string;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
  words: string;
}

function Attempts({ attempts, nextAttemptAt }: { attempts: Attempt[]; nextAttemptAt: string | null }) {
  const { timeZone } = useWhere();
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">Attempts</h3>
      <ol aria-label="Attempts" className="rounded-lg border border-line">
        {attempts.map(({ number, startedAt, durationMs, responseStatus, error, words }) => (
          <li key={number} className="flex flex-col gap-1 border-b border-line px-3 py-2 text-[0.8125rem] last:border-b-0">
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
          </li>
        ))}
        {nextAttemptAt !== null && (
          <li className="px-3 py-2 text-[0.8125rem] text-quiet">Next attempt: {exactly(nextAttemptAt, timeZone)}</li>
        )}
        {attempts.length === 0 && nextAttemptAt === null && <li className="px-3 py-2 text-[0.8125rem] text-quiet">No attempts yet</li>}
      </ol>
    </div>
  );
}
