import { useState } from "react";
import { MAX_NOTE_LENGTH } from "#server/model/kernel/input-text.ts";
import { rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Field, TextArea } from "../../components/inputs.tsx";
import { useSave } from "../../components/use-save.ts";
import { PLAYER_QUERIES } from "../player-queries.ts";
import type { ActionProps } from "./reason-dialog.tsx";

/** Writes a note about a player, for the team. */
export default function WriteNote({ player: { externalId }, open, onOpenChange }: ActionProps) {
  const { scope } = useWhere();
  const [note, setNote] = useState("");
  const save = useSave({ touches: PLAYER_QUERIES, done: "Note saved" }, async () => {
    await rpc.players.writeNote({ ...scope, externalId, note });
    onOpenChange(false);
  });
  return (
    <FormDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title="Write a note"
      description="For your team, in the player’s timeline. Players never see it."
      submitLabel="Save note"
      save={save}
    >
      <Field label="Note">
        <TextArea value={note} onValueChange={setNote} required maxLength={MAX_NOTE_LENGTH} rows={4} autoFocus />
      </Field>
    </FormDialog>
  );
}
