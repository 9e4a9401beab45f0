"use client";

import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import type { ActionProps } from "./action-props.ts";
import { ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

/** Hides a player from all leaderboards, or shows them again. */
export default function HideFromBoards({ player, open, onOpenChange }: ActionProps) {
  const { scope } = useWhere();
  const { externalId } = player;
  const toast = useToast();
  // The state on opening: it is inverted by the action.
  const [isHiding] = useState(player.hiddenAt === null);
  const [reason, setReason] = useState("");
  const act = (hides: boolean, why: string) =>
    hides
      ? rpc.players.hideFromBoards({ ...scope, externalId, reason: why })
      : rpc.players.showOnBoards({ ...scope, externalId, reason: why });
  const { mutateAsync, error, reset } = usePlayerAction(() => act(isHiding, reason));
  const undo = usePlayerAction(() => act(!isHiding, `Undone: ${reason}`.slice(0, 500)));
  const confirm = async () => {
    await mutateAsync();
    const takeBack = () => void undo.mutateAsync().catch(() => toast({ title: "The change was not undone", tone: "bad" }));
    toast({
      title: isHiding ? "Hidden from leaderboards" : "Shown on leaderboards",
      action: { label: "Undo", onSelect: takeBack },
    });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isHiding ? "Hide from leaderboards?" : "Show on leaderboards?"}
      confirmLabel={isHiding ? "Hide" : "Show"}
      isDanger={isHiding}
      isDisabled={reason.trim() === ""}
      onConfirm={confirm}
      failure={{ title: isHiding ? "The player was not hidden" : "The player was not shown", error, reset }}
    >
      <ul className="mb-4 flex list-disc flex-col gap-1 pl-4">
        {isHiding ? (
          <>
            <li>The player leaves every leaderboard at once, and wins no prizes while hidden.</li>
            <li>What they scored for a team no longer counts for it.</li>
            <li>Their scores are still kept, so they can be shown again. Settled periods stay as they are.</li>
          </>
        ) : (
          <>
            <li>The player is back on every leaderboard at once, with the scores they would have had.</li>
            <li>Periods that were settled meanwhile stay without them.</li>
          </>
        )}
      </ul>
      <div className="flex flex-col gap-4 text-ink">
        <ReasonField value={reason} onValueChange={setReason} />
      </div>
    </ConfirmDialog>
  );
}
