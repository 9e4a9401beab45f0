"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { orpc, rpc } from "../../_client/rpc.ts";
import { useWhere } from "../../_client/where.tsx";
import { ConfirmDialog } from "../../_components/overlay.tsx";
import { Skeleton } from "../../_components/surface.tsx";
import { useToast } from "../../_components/toast.tsx";
import { periodInWords } from "../values.ts";
import { ActionFailed, ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

export interface RestoreProps {
  externalId: string;
  streak: string;
  name: string;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Has the periods count for which a player lost a streak; it names them first. */
export default function RestoreStreak({ externalId, streak, name, open, onOpenChange }: RestoreProps) {
  const { scope } = useWhere();
  const toast = useToast();
  const [reason, setReason] = useState("");
  const missed = useQuery(orpc.players.missedPeriods.queryOptions({ input: { ...scope, externalId, streak } }));
  const periods = missed.data?.periods;
  const { mutateAsync, error, reset } = usePlayerAction(() => rpc.players.restoreStreak({ ...scope, externalId, streak, reason }));
  const restore = async () => {
    await mutateAsync();
    toast({ title: "Streak restored" });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        reset();
        onOpenChange(next);
      }}
      title={`Restore “${name}”?`}
      confirmLabel="Restore streak"
      isDisabled={!periods?.length || reason.trim() === ""}
      onConfirm={restore}
    >
      <div className="flex flex-col gap-4">
        {periods === undefined && <Skeleton className="h-10" />}
        {periods?.length === 0 && <p>There is nothing to restore: no period was missed since the last run.</p>}
        {periods !== undefined && periods.length > 0 && (
          <ul className="flex list-disc flex-col gap-1 pl-4">
            <li>Counts as done from now on: {periods.map(periodInWords).join(", ")}.</li>
            <li>Milestones that it reaches are paid, and webhooks are sent. This cannot be undone.</li>
          </ul>
        )}
        <div className="flex flex-col gap-4 text-ink">
          <ReasonField value={reason} onValueChange={setReason} />
          <ActionFailed title="The streak was not restored" error={error ?? missed.error} />
        </div>
      </div>
    </ConfirmDialog>
  );
}
