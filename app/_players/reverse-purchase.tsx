"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PurchaseSeen } from "../../server/marketplace/contract.dashboard.ts";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Field } from "../_components/field.tsx";
import { TextInput } from "../_components/inputs.tsx";
import { ConfirmDialog } from "../_components/overlay.tsx";
import { problemOf } from "../_components/problems.tsx";
import { Notice } from "../_components/surface.tsx";
import { useToast } from "../_components/toast.tsx";
import { pointsInWords } from "./values.ts";

const LONGEST_REASON = 500;

interface Props {
  purchase: PurchaseSeen;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Asks before a purchase is taken back, and says what that does; where it cannot be, why not. */
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
      // Where it failed, somebody else may have done it.
      await Promise.all([orpc.marketplace.key(), orpc.players.key()].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    }
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        if (next) reset();
        onOpenChange(next);
      }}
      title={`Reverse the purchase of “${name}”?`}
      confirmLabel="Reverse purchase"
      isDanger
      isDisabled={reason.trim() === ""}
      onConfirm={reverse}
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
      <Field label="Reason" required hint="Shown with the purchase, in the points history and in the audit log.">
        <TextInput value={reason} onValueChange={setReason} maxLength={LONGEST_REASON} autoComplete="off" />
      </Field>
      {error && (
        <Notice tone="bad" title="The purchase was not reversed" className="mt-3">
          {problemOf(error)}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
