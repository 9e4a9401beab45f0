"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { orpc, rpc } from "../../client/rpc.ts";
import { useWhere } from "../../client/where.tsx";
import { Field } from "../../components/field.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import type { ActionProps } from "./action-props.ts";
import { ReasonField } from "./reason-field.tsx";

/** Erases a player for good, once their id is typed. */
export default function ErasePlayer({ player: { externalId }, open, onOpenChange }: ActionProps) {
  const { scope, href } = useWhere();
  const router = useRouter();
  const queries = useQueryClient();
  const toast = useToast();
  const [reason, setReason] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const { mutateAsync, error, reset } = useMutation({
    mutationFn: () => rpc.privacy.erase({ ...scope, externalId, reason, confirmation }),
  });
  const erase = async () => {
    await mutateAsync();
    toast({ title: "Player erased" });
    router.push(href("/players"));
    // The player's page keeps its data until it is left: the player cannot be fetched any more.
    await queries.invalidateQueries({ queryKey: orpc.players.list.key() });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Erase this player?"
      confirmLabel="Erase player"
      isDanger
      isDisabled={confirmation !== externalId || reason.trim() === ""}
      onConfirm={erase}
      failure={{ title: "The player was not erased", error, reset }}
    >
      <ul className="mb-4 flex list-disc flex-col gap-1 pl-4">
        <li>Events, attributes, missions, streaks and scores are deleted, and webhooks about the player, sent or not.</li>
        <li>Points and purchases stay without a name, so that totals and stock still add up.</li>
        <li>The audit log forgets the player’s ID, names and reasons.</li>
        <li>If your backend sends this ID again, it is a new player. This cannot be undone.</li>
      </ul>
      <div className="flex flex-col gap-4 text-ink">
        <ReasonField value={reason} onValueChange={setReason} hint="Shown in the audit log. Do not name the player." />
        <Field label={`Type ${externalId} to confirm`}>
          <TextInput value={confirmation} onValueChange={setConfirmation} autoComplete="off" spellCheck={false} />
        </Field>
      </div>
    </ConfirmDialog>
  );
}
