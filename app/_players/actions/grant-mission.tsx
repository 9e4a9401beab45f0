"use client";

import { useState } from "react";
import { rpc } from "../../_client/rpc.ts";
import { useWhere } from "../../_client/where.tsx";
import { ConfirmDialog } from "../../_components/overlay.tsx";
import { useToast } from "../../_components/toast.tsx";
import { ActionFailed, ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

export interface GrantProps {
  externalId: string;
  mission: string;
  name: string;
  open: boolean;
  onOpenChange(open: boolean): void;
}

/** Completes a mission for a player, as if they had done it. */
export default function GrantMission({ externalId, mission, name, open, onOpenChange }: GrantProps) {
  const { scope } = useWhere();
  const toast = useToast();
  const [reason, setReason] = useState("");
  // One for each grant: pressing again after a lost answer changes nothing.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const { mutateAsync, error, reset } = usePlayerAction(() =>
    rpc.players.grantMission({ ...scope, externalId, mission, reason, requestId }),
  );
  const grant = async () => {
    await mutateAsync();
    setRequestId(crypto.randomUUID());
    toast({ title: "Mission granted" });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        reset();
        onOpenChange(next);
      }}
      title={`Grant “${name}”?`}
      confirmLabel="Grant mission"
      isDisabled={reason.trim() === ""}
      onConfirm={grant}
    >
      <ul className="mb-4 flex list-disc flex-col gap-1 pl-4">
        <li>It is completed now, whatever the player’s progress, and they get its rewards.</li>
        <li>Webhooks are sent and leaderboards count it, as for any completion.</li>
        <li>This cannot be undone. Points can be adjusted afterwards.</li>
      </ul>
      <div className="flex flex-col gap-4 text-ink">
        <ReasonField value={reason} onValueChange={setReason} />
        <ActionFailed title="The mission was not granted" error={error} />
      </div>
    </ConfirmDialog>
  );
}
