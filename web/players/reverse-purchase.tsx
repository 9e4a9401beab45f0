"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PurchaseSeen } from "../../server/game/marketplace/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { useToast } from "../components/toast.tsx";
import { ReasonField } from "./actions/reason-field.tsx";
import { pointsInWords } from "./values.ts";

interface Props {
  purchase: PurchaseSeen;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Confirms a reversal and shows its effects, or why it is impossible. */
export function ReversePurchase({ purchase: { id, name, price, contents }, open, onOpenChange }: Props) {
  const { scope } = useWhere();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const { mutateAsync, error, reset } = useMutation(orpc.marketplace.reverse.mutationOptions());
  const reverse = async () => {
    try {
      const { refunded, balance } = await mutateAsync({ ...scope, purchaseId: id, reason });
      toast({
        title: "Purchase reversed",
        description: `${pointsInWords(refunded)} refunded. The balance is ${pointsInWords(balance)}.`,
      });
    } finally {
      // After a failure another user may have reversed it.
      await Promise.all([orpc.marketplace.key(), orpc.players.key()].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    }
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Reverse the purchase of “${name}”?`}
      confirmLabel="Reverse purchase"
      isDanger
      isDisabled={reason.trim() === ""}
      onConfirm={reverse}
      failure={{ title: "The purchase was not reversed", error, reset }}
    >
      <ul className="mb-4 flex list-disc flex-col gap-1 pl-4">
        <li>{price === 0 ? "No points are refunded: it was free." : `The player gets ${pointsInWords(price)} back.`}</li>
        <li>The unit goes back to stock.</li>
        <li>It no longer counts towards the player’s limit.</li>
        <li>
          What was already handed over stays with the player. No webhook is sent for the reversal.
          {contents.some(({ told }) => told?.status === "Pending") && " The pending webhook that asks for it is still sent."}
        </li>
      </ul>
      <ReasonField value={reason} onValueChange={setReason} hint="Shown with the purchase, in the points history and in the audit log." />
    </ConfirmDialog>
  );
}
