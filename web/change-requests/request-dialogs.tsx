import { useState } from "react";
import { useWhere } from "../client/service.tsx";
import { FormDialog, useSave } from "../components/form-dialog.tsx";
import { Field, TextArea, TextInput } from "../components/inputs.tsx";
import { InstantInput } from "../components/instant-input.tsx";
import type { RequestSeen } from "./request-words.tsx";

interface ReasonProps {
  open: boolean;
  onClose(): void;
  title: string;
  description: string;
  submitLabel: string;
  onSubmit(reason: string): Promise<void>;
}

/** Asks for the reason of a decision. */
export function ReasonDialog({ onSubmit, ...dialog }: ReasonProps) {
  const [reason, setReason] = useState("");
  const save = useSave({}, async () =>
    reason.trim() === "" ? [{ pointer: "#/reason", message: "Required" }] : onSubmit(reason).catch(() => {}),
  );
  return (
    <FormDialog {...dialog} save={save} noValidate>
      <Field label="Reason" required at="#/reason">
        <TextArea value={reason} onValueChange={setReason} maxLength={2_000} rows={3} />
      </Field>
    </FormDialog>
  );
}

interface EditProps {
  request: RequestSeen;
  onClose(): void;
  onSubmit(edited: { title: string; reason: string; at: string | null }): Promise<void>;
}

export function EditDialog({ request, onClose, onSubmit }: EditProps) {
  const { timeZone, now } = useWhere();
  const [title, setTitle] = useState(request.title);
  const [reason, setReason] = useState(request.reason);
  const [at, setAt] = useState(request.dueAt);
  const isPast = at !== null && at !== request.dueAt && Date.parse(at) <= Date.parse(now);
  const save = useSave({}, async () => {
    if (title.trim() !== "" && !isPast) await onSubmit({ title, reason, at }).catch(() => {});
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit this request"
      description="An edit needs its own approval, by a person other than you."
      submitLabel="Save"
      save={save}
      noValidate
    >
      <Field label="Title" required error={title.trim() === "" ? "Required" : null}>
        <TextInput value={title} onValueChange={setTitle} maxLength={200} />
      </Field>
      <Field label="Reason" optional>
        <TextArea value={reason} onValueChange={setReason} maxLength={2_000} rows={3} />
      </Field>
      {!request.isTurnOff && (
        <Field
          label="Applies at"
          optional
          error={isPast ? "Choose a time in the future" : null}
          hint={`${timeZone} time. Empty: as soon as it is approved.`}
        >
          <InstantInput value={at} onValueChange={setAt} />
        </Field>
      )}
    </FormDialog>
  );
}
