"use client";

import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { DecimalInput, Field } from "../../components/inputs.tsx";
import { useToast } from "../../components/toast.tsx";
import { pointsInWords } from "../values.ts";
import { adjustmentOf } from "./adjustment.ts";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

/** Credits or debits points, with a preview of the balance. */
export default function AdjustPoints({ player: { externalId, balance }, ...opened }: ActionProps) {
  const { scope } = useWhere();
  const toast = useToast();
  const [amount, setAmount] = useState("");
  // An idempotency key per adjustment: retrying after a lost response changes nothing.
  const [requestId] = useState(() => crypto.randomUUID());
  const { points, problem } = adjustmentOf(amount, balance.balance);
  const adjust = (by: number, reason: string, id: string) =>
    rpc.players.adjustPoints({ ...scope, externalId, amount: by, reason, requestId: id });
  const sayBalance = (title: string, after: number) => ({ title, description: `The balance is ${pointsInWords(after)}.` });
  return (
    <ReasonDialog
      {...opened}
      title="Adjust points"
      confirmLabel="Adjust points"
      isDisabled={points === null || problem !== null}
      hint="Shown in the points history and in the audit log."
      act={(reason) => adjust(points ?? 0, reason, requestId)}
      done={(adjusted) => sayBalance("Points adjusted", adjusted.balance)}
      undo={async (reason) => {
        const undone = await adjust(-(points ?? 0), reason, crypto.randomUUID());
        toast(sayBalance("Adjustment undone", undone.balance));
      }}
      failed="The points were not adjusted"
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
      </div>
    </ReasonDialog>
  );
}
