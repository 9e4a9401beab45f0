import { useState } from "react";
import { rpc, useWhere } from "../../client/service.tsx";
import { randomId } from "../../client/random-id.ts";
import { DecimalInput, Field } from "../../components/inputs.tsx";
import { useToast } from "../../components/toast.tsx";
import { pointsInWords } from "../values.ts";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

/** Credits or debits points, with a preview of the balance. */
export function AdjustPoints({ player: { externalId, balance }, ...opened }: ActionProps) {
  const { scope } = useWhere();
  const toast = useToast();
  const [amount, setAmount] = useState("");
  // An idempotency key per adjustment: retrying after a lost response changes nothing.
  const [requestId] = useState(randomId);
  const { points, problem } = adjustmentOf(amount, balance.balance);
  const adjust = async (by: number, reason: string, id: string) => ({
    ...(await rpc.players.adjustPoints({ ...scope, externalId, amount: by, reason, requestId: id })),
    by,
  });
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
      undo={async (reason, { by }) => {
        const undone = await adjust(-by, reason, randomId());
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

/** The typed points, null unless a whole number; and the problem with them. */
export function adjustmentOf(typed: string, balance: number): { points: number | null; problem: string | null } {
  const text = typed.replace(/^[−–]/, "-").replace(/^\+/, "");
  if (text === "" || text === "-") return { points: null, problem: null };
  if (!/^-?\d{1,16}$/.test(text)) return { points: null, problem: "Enter a whole number." };
  const points = Number(text);
  if (points === 0) return { points: null, problem: "Enter a number other than 0." };
  if (balance + points < 0) return { points, problem: "The balance would be below 0." };
  return { points, problem: Number.isSafeInteger(balance + points) ? null : "The balance would be too large." };
}
