import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

/** Hides a player from all leaderboards, or shows them again. */
export default function HideFromBoards({ player: { externalId, hiddenAt }, ...opened }: ActionProps) {
  const { scope } = useWhere();
  // The state on opening: it is inverted by the action.
  const [isHiding] = useState(hiddenAt === null);
  const turn = (hides: boolean, reason: string) =>
    hides ? rpc.players.hideFromBoards({ ...scope, externalId, reason }) : rpc.players.showOnBoards({ ...scope, externalId, reason });
  return (
    <ReasonDialog
      {...opened}
      title={isHiding ? "Hide from leaderboards?" : "Show on leaderboards?"}
      confirmLabel={isHiding ? "Hide" : "Show"}
      isDanger={isHiding}
      act={(reason) => turn(isHiding, reason)}
      done={() => ({ title: isHiding ? "Hidden from leaderboards" : "Shown on leaderboards" })}
      undo={(reason) => turn(!isHiding, reason)}
      failed={isHiding ? "The player was not hidden" : "The player was not shown"}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
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
    </ReasonDialog>
  );
}
