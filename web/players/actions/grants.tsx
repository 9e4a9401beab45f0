import { longDate } from "#server/model/kernel/dates.ts";
import { useState } from "react";
import { randomId } from "../../client/random-id.ts";
import { orpc, rpc, useRead, useWhere } from "../../client/service.tsx";
import type { Opened } from "../../components/overlay.tsx";
import { Skeleton } from "../../components/surface.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";

export interface GrantProps extends Opened {
  externalId: string;
  mission: string;
  /** The objective's id; left out: the whole mission. */
  objective?: string;
  /** Of the mission, or of the objective. */
  name: string;
}

/** Completes a mission, or an objective of it, for a player, as if they had done it. */
export function Grant({ externalId, mission, objective, name, open, onOpenChange }: GrantProps) {
  const { scope } = useWhere();
  // An idempotency key per grant: retrying after a lost response changes nothing.
  const [requestId, setRequestId] = useState(randomId);
  const grant = async (reason: string) => {
    const wanted = { ...scope, externalId, mission, reason, requestId };
    await (objective === undefined ? rpc.players.grantMission(wanted) : rpc.players.grantObjective({ ...wanted, objective }));
    setRequestId(randomId());
  };
  const subject = objective === undefined ? "mission" : "objective";
  return (
    <ReasonDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Grant “${name}”?`}
      confirmLabel={`Grant ${subject}`}
      done={() => ({ title: objective === undefined ? "Mission granted" : "Objective granted" })}
      failed={`The ${subject} was not granted`}
      act={grant}
    >
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {objective === undefined ? (
          <>
            <li>Completes the mission now and grants its rewards, regardless of progress.</li>
            <li>Webhooks are sent and leaderboards count it, as for any completion.</li>
            <li>This cannot be undone. Points can be adjusted afterwards.</li>
          </>
        ) : (
          <>
            <li>Meets the objective now, regardless of progress. If they are not in the mission, they enter it.</li>
            <li>If all other objectives are met, the mission is completed: rewards are paid and webhooks are sent.</li>
            <li>This cannot be undone, because what the player does next builds on it.</li>
          </>
        )}
      </ul>
    </ReasonDialog>
  );
}

export interface RestoreProps extends Opened {
  externalId: string;
  streak: string;
  name: string;
}

/** Restores a lost streak by counting the missed periods, which it lists first. */
export function RestoreStreak({ externalId, streak, name, open, onOpenChange }: RestoreProps) {
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
