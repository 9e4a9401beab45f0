"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { problemOf } from "../../components/problems.tsx";
import { useToast } from "../../components/toast.tsx";
import { deliveriesInWords, type ShownEndpoint } from "../webhooks/endpoint-state.tsx";

/** Discards the held deliveries of a disabled endpoint, after confirmation. */
export function DiscardHeld({ endpoint: { id, held } }: { endpoint: ShownEndpoint }) {
  const { scope } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const discard = useMutation(
    orpc.webhooks.discardHeld.mutationOptions({
      onSuccess: ({ discarded }) => toast({ title: `${deliveriesInWords(discarded)} discarded` }),
      onError: (failed) => toast({ title: "Nothing was discarded", description: problemOf(failed), tone: "bad" }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: orpc.webhooks.key() }),
    }),
  );
  return (
    <div className="mt-2">
      <Button size="sm" onClick={() => setAsked(true)}>
        Discard held deliveries
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title={`Discard ${deliveriesInWords(held)}?`}
        confirmLabel="Discard"
        isDanger
        onConfirm={() => discard.mutateAsync({ ...scope, id })}
      >
        They are not sent when the endpoint is switched on again. Some may be items that players have paid for. New deliveries are still
        held. Discarded deliveries stay in the list, where completed missions and items to hand out can be resent.
      </ConfirmDialog>
    </div>
  );
}
