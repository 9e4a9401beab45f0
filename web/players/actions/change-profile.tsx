"use client";

import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Field } from "../../components/field.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import { zoneOptions } from "../../settings/locale-options.ts";
import type { ActionProps } from "./action-props.ts";
import { ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

const MAX_NAME_LENGTH = 200;

/** Changes a player's name and time zone. */
export default function ChangeProfile({ player, open, onOpenChange }: ActionProps) {
  const { scope, timeZone: projectZone } = useWhere();
  const { externalId } = player;
  const toast = useToast();
  const [name, setName] = useState(player.displayName ?? "");
  const [zone, setZone] = useState(player.timeZone);
  const [reason, setReason] = useState("");
  const wanted = { displayName: name.trim() === "" ? null : name.trim(), timeZone: zone };
  const before = { displayName: player.displayName, timeZone: player.timeZone };
  const isChanged = wanted.displayName !== before.displayName || wanted.timeZone !== before.timeZone;
  const { mutateAsync, error, reset } = usePlayerAction(() => rpc.players.changeProfile({ ...scope, externalId, ...wanted, reason }));
  const undo = usePlayerAction(() =>
    rpc.players.changeProfile({ ...scope, externalId, ...before, reason: `Undone: ${reason}`.slice(0, 500) }),
  );
  const save = async () => {
    await mutateAsync();
    const takeBack = () => void undo.mutateAsync().catch(() => toast({ title: "The change was not undone", tone: "bad" }));
    toast({ title: "Player saved", action: { label: "Undo", onSelect: takeBack } });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Name and time zone"
      confirmLabel="Save"
      isDisabled={!isChanged || reason.trim() === ""}
      onConfirm={save}
      failure={{ title: "The player was not saved", error, reset }}
    >
      <div className="flex flex-col gap-4 text-ink">
        <Field label="Name" optional hint="What leaderboards show.">
          <TextInput value={name} onValueChange={setName} maxLength={MAX_NAME_LENGTH} autoComplete="off" />
        </Field>
        <Field label="Time zone" optional hint={`Empty: the project’s, ${projectZone}. Running periods keep their end.`}>
          <Combobox value={zone} onValueChange={setZone} options={zoneOptions()} isClearable placeholder={projectZone} />
        </Field>
        <ReasonField value={reason} onValueChange={setReason} />
      </div>
    </ConfirmDialog>
  );
}
