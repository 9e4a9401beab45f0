"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import Link from "next/link";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { Code, CopyButton } from "../../components/code.tsx";
import { Sheet } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Definition, Notice, Skeleton } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { eventQuery } from "../events/filters.ts";
import { Attempts } from "./attempts.tsx";
import { DeliveryState, heldInWords } from "./delivery-state.tsx";
import type { OpenedDelivery } from "./delivery-filter.ts";
import { indented } from "../../components/indented.ts";

interface Props {
  /** Null: closed. */
  opened: OpenedDelivery | null;
  onClose(): void;
}

/** A delivery with its attempts, their request bodies, and actions. */
export function DeliverySheet({ opened, onClose }: Props) {
  const { scope, can, href } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const input = { ...scope, id: opened?.endpointId ?? "", deliveryId: opened?.deliveryId ?? "" };
  const { data, error } = useQuery({
    ...orpc.webhooks.delivery.queryOptions({ input }),
    enabled: opened !== null,
    refetchInterval: 2_000,
  });
  const onSettled = () => queryClient.invalidateQueries({ queryKey: orpc.webhooks.key() });
  const retry = useMutation(
    orpc.webhooks.retry.mutationOptions({
      onSuccess: () => toast({ title: "Resending the delivery" }),
      onError: (failed) => toast({ title: "The delivery was not resent", description: problemOf(failed), tone: "bad" }),
      onSettled,
    }),
  );
  const discard = useMutation(
    orpc.webhooks.discard.mutationOptions({
      onSuccess: () => toast({ title: "Delivery discarded" }),
      onError: (failed) => toast({ title: "The delivery was not discarded", description: problemOf(failed), tone: "bad" }),
      onSettled,
    }),
  );
  const mayChange = can("Support");
  const held = data === undefined ? null : heldInWords(data);
  return (
    <Sheet
      open={opened !== null}
      onOpenChange={(open) => !open && onClose()}
      title={data?.event ?? "Delivery"}
      actions={
        mayChange &&
        data !== undefined && (
          <>
            {data.status === "Held" && (
              <Button size="sm" isPending={discard.isPending} onClick={() => discard.mutate(input)}>
                Discard
              </Button>
            )}
            {data.resendProblem === null && (
              <Button
                size="sm"
                icon={<RotateCw aria-hidden />}
                isPending={retry.isPending}
                disabled={!data.isEndpointOn || data.isUnderWay}
                onClick={() => retry.mutate(input)}
              >
                {data.status === "Pending" ? "Retry now" : "Resend"}
              </Button>
            )}
          </>
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
          <dl className="grid gap-3 sm:grid-cols-2">
            <Definition term="Endpoint">
              <Link href={href(`/developers/webhooks/${data.endpointId}`)} className="rounded text-accent hover:underline">
                {data.url}
              </Link>
            </Definition>
            {data.player !== null && (
              <Definition term="Player">
                <Link href={href(`/players/${encodeURIComponent(data.player)}`)} className="rounded text-accent hover:underline">
                  {data.player}
                </Link>
                {" · "}
                <Link
                  href={href(`/developers/events${eventQuery({ player: data.player })}`)}
                  className="rounded text-accent hover:underline"
                >
                  Events
                </Link>
              </Definition>
            )}
          </dl>
          {held !== null && <Notice tone="neutral">{held}</Notice>}
          {mayChange && data.resendProblem !== null && <Notice tone="neutral">{data.resendProblem}</Notice>}
          {mayChange && data.resendProblem === null && !data.isEndpointOn && data.status !== "Held" && (
            <Notice tone="neutral">The endpoint is off. Switch it on to resend this.</Notice>
          )}
          <Attempts delivery={data} />
          <div>
            <h3 className="mb-1.5 text-sm font-semibold">Request body</h3>
            <p className="mb-1.5 text-xs text-quiet">Indented here. The signature is over the body as copied.</p>
            <Code text={indented(data.body)} copied={data.body} label="Copy body" />
          </div>
        </div>
      )}
    </Sheet>
  );
}
