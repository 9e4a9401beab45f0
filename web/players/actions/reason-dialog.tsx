"use client";

import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../components/overlay.tsx";
import { useToast } from "../../components/toast.tsx";
import { ReasonField } from "./reason-field.tsx";
import { usePlayerAction } from "./use-player-action.ts";

interface ReasonDialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  confirmLabel: string;
  /** The success toast. */
  done: string;
  /** The title of a failure. */
  failed: string;
  /** Why the action's subject could not be loaded; shown likewise. */
  error?: unknown;
  isDisabled?: boolean;
  act(reason: string): Promise<unknown>;
  /** Consequences of the action. */
  children: ReactNode;
}

/** Asks for the reason of an action on a player, shows its consequences, and runs it. */
export function ReasonDialog({
  open,
  onOpenChange,
  title,
  confirmLabel,
  done,
  failed,
  error,
  isDisabled,
  act,
  children,
}: ReasonDialogProps) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const action = usePlayerAction(() => act(reason));
  const confirm = async () => {
    await action.mutateAsync();
    toast({ title: done });
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      confirmLabel={confirmLabel}
      isDisabled={isDisabled || reason.trim() === ""}
      onConfirm={confirm}
      failure={{ title: failed, error: action.error ?? error, reset: action.reset }}
    >
      <div className="flex flex-col gap-4">
        {children}
        <div className="flex flex-col gap-4 text-ink">
          <ReasonField value={reason} onValueChange={setReason} />
        </div>
      </div>
    </ConfirmDialog>
  );
}
