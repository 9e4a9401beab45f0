import { type QueryKey, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { MAX_REASON_LENGTH } from "#server/model/kernel/input-text.ts";
import type { PlayerSeen } from "../../client/service.tsx";
import { Field, TextInput } from "../../components/inputs.tsx";
import type { ConfirmProps } from "../../components/dialogs.tsx";
import { ConfirmDialog, type Opened } from "../../components/overlay.tsx";
import type { Toast } from "../../components/toast-host.tsx";
import { useToast } from "../../components/toast.tsx";
import { PLAYER_QUERIES } from "../player-queries.ts";

export interface ActionProps extends Opened {
  player: PlayerSeen;
}

interface ReasonDialogProps<Answer> extends Opened, Pick<ConfirmProps, "title" | "confirmLabel" | "isDanger" | "isDisabled" | "typed"> {
  /** Where the reason is shown. */
  hint?: string;
  act(reason: string): Promise<Answer>;
  /** The success toast. */
  done(answer: Answer): Toast;
  /** Takes the action back, which had that answer. */
  undo?(reason: string, answer: Answer): Promise<unknown>;
  /** The title of a failure. */
  failed: string;
  /** Why the action's subject could not be loaded; shown like a failed action. */
  error?: unknown;
  touches?: readonly QueryKey[];
  /** Consequences of the action, or its fields. */
  children: ReactNode;
  below?: ReactNode;
}

/** Asks for the reason of an action on a player, shows its consequences, and runs it. */
export function ReasonDialog<Answer>({
  isDisabled,
  hint = "Shown in the audit log and in the player’s timeline.",
  act,
  done,
  undo,
  failed,
  error,
  touches = PLAYER_QUERIES,
  children,
  below,
  ...dialog
}: ReasonDialogProps<Answer>) {
  const toast = useToast();
  const [reason, setReason] = useState("");
  const action = useMutation({ mutationFn: () => act(reason), meta: { touches } });
  const takeBack = useMutation({
    mutationFn: async (done: { reason: string; answer: Answer }) =>
      undo?.(`Undone: ${done.reason}`.slice(0, MAX_REASON_LENGTH), done.answer),
    meta: { failure: "The change was not undone", touches },
  });
  const confirm = async () => {
    const answer = await action.mutateAsync();
    toast({ ...done(answer), action: undo && { label: "Undo", onSelect: () => takeBack.mutate({ reason, answer }) } });
  };
  return (
    <ConfirmDialog
      {...dialog}
      isDisabled={isDisabled || reason.trim() === ""}
      onConfirm={confirm}
      failure={{ title: failed, error: action.error ?? error, reset: action.reset }}
    >
      <div className="flex flex-col gap-4">
        {children}
        <div className="flex flex-col gap-4 text-ink">
          <Field label="Reason" required hint={hint}>
            <TextInput value={reason} onValueChange={setReason} maxLength={MAX_REASON_LENGTH} autoComplete="off" />
          </Field>
          {below}
        </div>
      </div>
    </ConfirmDialog>
  );
}
