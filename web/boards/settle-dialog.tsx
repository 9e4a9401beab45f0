"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { PeriodSeen } from "../../server/game/leaderboards/contract.dashboard.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { exactly } from "../components/exactly.ts";
import { ConfirmDialog } from "../components/overlay.tsx";
import { useToast } from "../components/toast.tsx";

interface Props {
  boardKey: string;
  period: PeriodSeen;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Confirms settling a period by hand, and names its side effects. */
export function SettleDialog({ boardKey, period: { start, settlesAt }, open, onOpenChange }: Props) {
  const { scope, timeZone } = useWhere();
  const router = useRouter();
  const toast = useToast();
  const queries = useQueryClient();
  const { mutateAsync, error, reset } = useMutation(orpc.work.settleBoard.mutationOptions());
  const settle = async () => {
    const { now } = await mutateAsync({ ...scope, key: boardKey, start });
    toast({ title: "Period settled", description: `It is ${exactly(now, timeZone)} in the Sandbox.` });
    router.refresh();
    await queries.invalidateQueries();
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Settle this period now?"
      confirmLabel="Settle now"
      onConfirm={settle}
      failure={{ title: "The period was not settled", error, reset }}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {settlesAt !== null && <li>The Sandbox clock moves to {exactly(settlesAt, timeZone)}. It cannot be moved back.</li>}
        <li>Ranks become final. Prizes, league moves and webhooks follow, as in Live.</li>
        <li>Everything else that is due until then runs too: other leaderboards settle, missions repeat, streaks can end.</li>
      </ul>
    </ConfirmDialog>
  );
}
