import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_NOTE_LENGTH } from "#server/model/kernel/input-text.ts";
import { orpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Field, TextArea } from "../../components/inputs.tsx";
import { problemOf } from "../../components/problems.tsx";
import { Notice } from "../../components/surface.tsx";
import { PLAYER_QUERIES } from "../player-queries.ts";
import type { ActionProps } from "./reason-dialog.tsx";

/** Writes a note about a player, for the team. */
export default function WriteNote({ player: { externalId }, open, onOpenChange }: ActionProps) {
  const { scope } = useWhere();
  const [note, setNote] = useState("");
  const write = useMutation(
    orpc.players.writeNote.mutationOptions({
      onSuccess: () => onOpenChange(false),
      meta: { touches: PLAYER_QUERIES, done: "Note saved" },
    }),
  );
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Write a note"
      description="For your team, in the player’s timeline. Players never see it."
      submitLabel="Save note"
      isPending={write.isPending}
      onSubmit={() => write.mutate({ ...scope, externalId, note })}
    >
      {write.isError && <Notice tone="bad">{problemOf(write.error)}</Notice>}
      <Field label="Note">
        <TextArea value={note} onValueChange={setNote} required maxLength={MAX_NOTE_LENGTH} rows={4} autoFocus />
      </Field>
    </FormDialog>
  );
}
