import { useState } from "react";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import { zoneOptions } from "../../components/choice.tsx";
import { type ActionProps, ReasonDialog } from "./reason-dialog.tsx";

const MAX_NAME_LENGTH = 200;

export default function ChangeProfile({ player: { externalId, displayName, timeZone }, ...opened }: ActionProps) {
  const { scope, timeZone: projectZone } = useWhere();
  const [name, setName] = useState(displayName ?? "");
  const [zone, setZone] = useState(timeZone);
  // The profile on opening: undoing restores it.
  const [before] = useState({ displayName, timeZone });
  const wanted = { displayName: name.trim() === "" ? null : name.trim(), timeZone: zone };
  const isChanged = wanted.displayName !== before.displayName || wanted.timeZone !== before.timeZone;
  return (
    <ReasonDialog
      {...opened}
      title="Name and time zone"
      confirmLabel="Save"
      isDisabled={!isChanged}
      act={(reason) => rpc.players.changeProfile({ ...scope, externalId, ...wanted, reason })}
      done={() => ({ title: "Player saved" })}
      undo={(reason) => rpc.players.changeProfile({ ...scope, externalId, ...before, reason })}
      failed="The player was not saved"
    >
      <div className="flex flex-col gap-4 text-ink">
        <Field label="Name" optional hint="What leaderboards show.">
          <TextInput value={name} onValueChange={setName} maxLength={MAX_NAME_LENGTH} autoComplete="off" />
        </Field>
        <Field label="Time zone" optional hint={`Empty: the project’s, ${projectZone}. Running periods keep their end.`}>
          <Combobox value={zone} onValueChange={setZone} options={zoneOptions()} isClearable placeholder={projectZone} />
        </Field>
      </div>
    </ReasonDialog>
  );
}
