import type { Opened } from "../../components/overlay.tsx";
import { orpc, rpc } from "../../client/rpc.ts";
import { useRead, useWhere } from "../../client/where.tsx";
import { Skeleton } from "../../components/surface.tsx";
import { longDate } from "../../components/dates.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

export interface RestoreProps extends Opened {
  externalId: string;
  streak: string;
  name: string;
}

/** Restores a lost streak by counting the missed periods, which it lists first. */
export default function RestoreStreak({ externalId, streak, name, open, onOpenChange }: RestoreProps) {
  const { scope } = useWhere();
  const missed = useRead(orpc.players.missedPeriods, { externalId, streak });
  const periods = missed.data?.periods;
  return (
    <ReasonDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Restore “${name}”?`}
      confirmLabel="Restore streak"
      done={() => ({ title: "Streak restored" })}
      failed="The streak was not restored"
      error={missed.error}
      isDisabled={!periods?.length}
      act={(reason) => rpc.players.restoreStreak({ ...scope, externalId, streak, reason })}
    >
      {periods === undefined && <Skeleton className="h-10" />}
      {periods?.length === 0 && <p>There is nothing to restore: no period was missed since the last streak.</p>}
      {periods !== undefined && periods.length > 0 && (
        <ul className="flex list-disc flex-col gap-1 pl-4">
          <li>Counts as done from now on: {periods.map(longDate).join(", ")}.</li>
          <li>Milestones that it reaches are paid, and webhooks are sent. This cannot be undone.</li>
        </ul>
      )}
    </ReasonDialog>
  );
}
