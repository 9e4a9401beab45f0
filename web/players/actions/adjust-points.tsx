"use client";

import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Field } from "../../components/field.tsx";
import { DecimalInput } from "../../components/inputs.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import { pointsInWords } from "../values.ts";
import { adjustmentOf } from "./adjustment.ts";
import type { ActionProps } from "./action-props.ts";
import { ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

/** Credits or debits points, with a preview of the balance. */
export default function AdjustPoints({ player, open, onOpenChange }: ActionProps) {
  const { scope } = useWhere();
  const { externalId, balance } = player;
  const toast = useToast();
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  // An idempotency key per adjustment: retrying after a lost response changes nothing.
  const [requestId] = useState(() => crypto.randomUUID());
  const { points, problem } = adjustmentOf(amount, balance.balance);
  const { mutateAsync, error, reset } = usePlayerAction(() =>
    rpc.players.adjustPoints({ ...scope, externalId, amount: points ?? 0, reason, requestId }),
  );
  const undo = usePlayerAction(() =>
    rpc.players.adjustPoints({
      ...scope,
      externalId,
      amount: -(points ?? 0),
      reason: `Undone: ${reason}`.slice(0, 500),
      requestId: crypto.randomUUID(),
    }),
  );
  const adjust = async () => {
    const { balance: after } = await mutateAsync();
    const takeBack = () =>
      void undo.mutateAsync().then(
        (undone) => toast({ title: "Adjustment undone", description: `The balance is ${pointsInWords(undone.balance)}.` }),
        () => toast({ title: "The adjustment was not undone", tone: "bad" }),
      );
    toast({
      title: "Points adjusted",
      description: `The balance is ${pointsInWords(after)}.`,
      action: { label: "Undo", onSelect: takeBack },
    });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Adjust points"
      confirmLabel="Adjust points"
      isDisabled={points === null || problem !== null || reason.trim() === ""}
      onConfirm={adjust}
      failure={{ title: "The points were not adjusted", error, reset }}
    >
      <div className="flex flex-col gap-4 text-ink">
        <Field label="Points" required hint="Enter −50 to take 50 away." error={problem ?? undefined}>
          <DecimalInput value={amount} onValueChange={setAmount} placeholder="50" />
        </Field>
        <p className="rounded-lg bg-sunken px-3 py-2 text-[0.8125rem]" aria-live="polite">
          Balance: <span className="tabular-nums">{pointsInWords(balance.balance)}</span>
          {points !== null && problem === null && (
            <>
              {" → "}
              <strong className="tabular-nums">{pointsInWords(balance.balance + points)}</strong>
            </>
          )}
        </p>
        <ReasonField value={reason} onValueChange={setReason} hint="Shown in the points history and in the audit log." />
      </div>
    </ConfirmDialog>
  );
}
