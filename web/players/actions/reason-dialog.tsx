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
  /** What a toast says afterwards. */
  done: string;
  /** What stands over the error of one that failed. */
  failed: string;
  /** Why what it acts on could not be read; likewise shown. */
  error?: unknown;
  isDisabled?: boolean;
  act(reason: string): Promise<unknown>;
  /** What follows from it. */
  children: ReactNode;
}

/** Asks for the reason of what somebody is about to do to a player, says what follows, and does it. */
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
