import { instantInWords } from "../../server/model/kernel/dates.ts";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type BoardPeriod, EVERYTHING, orpc, useWhere } from "../client/service.tsx";
import { ConfirmDialog, type Opened } from "../components/overlay.tsx";
import { useToast } from "../components/toast.tsx";

interface Props extends Opened {
  boardKey: string;
  period: BoardPeriod;
  onSettled(): void;
}

/** Confirms settling a period by hand, and names its side effects. */
export function SettleDialog({ boardKey, period: { start, settlesAt }, open, onOpenChange, onSettled }: Props) {
  const { scope, timeZone } = useWhere();
  const router = useRouter();
  const toast = useToast();
  const { mutateAsync, error, reset } = useMutation(orpc.work.settleBoard.mutationOptions({ meta: { touches: [EVERYTHING] } }));
  const settle = async () => {
    const { now } = await mutateAsync({ ...scope, key: boardKey, start });
    toast({ title: "Period settled", description: `It is ${instantInWords(now, timeZone)} in the Sandbox.` });
    onSettled();
    router.refresh();
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
        {settlesAt !== null && <li>The Sandbox clock moves to {instantInWords(settlesAt, timeZone)}. It cannot be moved back.</li>}
        <li>Ranks become final. Prizes, league moves and webhooks follow, as in Live.</li>
        <li>Everything else that is due until then runs too: other leaderboards settle, missions repeat, streaks can end.</li>
      </ul>
    </ConfirmDialog>
  );
}
