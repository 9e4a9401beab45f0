"use client";

import { useState } from "react";
import { useAttempt } from "../client/attempt.ts";
import { rpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { TextInput } from "../components/inputs.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { Card } from "../components/surface.tsx";
import { useToast } from "../components/toast.tsx";

/** Empties the Sandbox after its project's slug is typed; in Live an explanation of its absence. */
export function Reset() {
  const { environment, scope, project, can } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const [confirmation, setConfirmation] = useState("");
  const toast = useToast();
  const attempt = useAttempt();
  if (environment === "live") {
    return <Card title="Reset" description="Live can't be reset. Only a Sandbox can." />;
  }
  const empty = async () => {
    const { players } = await attempt("The Sandbox was not reset", () => rpc.work.reset({ ...scope, confirmation }));
    toast({ title: "Sandbox reset", description: players === 1 ? "1 player deleted." : `${players} players deleted.` });
    setConfirmation("");
  };
  return (
    <>
      <Card
        title="Reset the Sandbox"
        description={
          can("Admin")
            ? "Deletes players, events and everything that came from them. Keeps definitions, keys, endpoints and the clock."
            : "Only Admins and Owners can reset the Sandbox."
        }
        actions={
          can("Admin") && (
            <Button className="text-bad" onClick={() => setOpen(true)}>
              Reset the Sandbox
            </Button>
          )
        }
      />
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Reset the Sandbox?"
        confirmLabel="Reset the Sandbox"
        isDanger
        isDisabled={confirmation !== project}
        onConfirm={empty}
      >
        <p>
          Deletes all players of this Sandbox with their points, missions, streaks, scores and purchases, and all pending deliveries. This
          cannot be undone.
        </p>
        <Field label={`Type ${project} to confirm`} className="mt-3 text-ink">
          <TextInput value={confirmation} onValueChange={setConfirmation} autoComplete="off" spellCheck={false} />
        </Field>
      </ConfirmDialog>
    </>
  );
}
