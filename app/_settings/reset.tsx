"use client";

import { useState } from "react";
import { useAttempt } from "../_client/attempt.ts";
import { rpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import { Button } from "../_components/button.tsx";
import { Field } from "../_components/field.tsx";
import { TextInput } from "../_components/inputs.tsx";
import { ConfirmDialog } from "../_components/overlay.tsx";
import { Card } from "../_components/surface.tsx";
import { useToast } from "../_components/toast.tsx";

/** Empties the Sandbox, once its project's slug is typed; in Live, why that is not there. */
export function Reset() {
  const { environment, scope, project, can } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const [confirmation, setConfirmation] = useState("");
  const toast = useToast();
  const attempt = useAttempt();
  if (environment === "live") {
    return <Card title="Reset" description="Live is never emptied: what players did and earned stays. Only a Sandbox can be reset." />;
  }
  const empty = async () => {
    const { players } = await attempt("The Sandbox is not reset", () => rpc.work.reset({ ...scope, confirmation }));
    toast({ title: "The Sandbox is empty", description: players === 1 ? "One player is gone." : `${players} players are gone.` });
    setConfirmation("");
  };
  return (
    <>
      <Card
        title="Reset the Sandbox"
        description={
          can("Admin")
            ? "Players, events and everything that came of them go. Definitions, keys, endpoints and the clock stay."
            : "The Sandbox is reset by Admins and Owners."
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
        title="Empty the Sandbox?"
        confirmLabel="Reset the Sandbox"
        isDanger
        isDisabled={confirmation !== project}
        onConfirm={empty}
      >
        <p>
          All players of this Sandbox go, with their points, missions, streaks, scores and purchases, and what is still to be sent to
          endpoints. This cannot be undone.
        </p>
        <Field label={`Type ${project} to say that you mean it`} className="mt-3 text-ink">
          <TextInput value={confirmation} onValueChange={setConfirmation} autoComplete="off" spellCheck={false} />
        </Field>
      </ConfirmDialog>
    </>
  );
}
