import { useState } from "react";
import { FormDialog, useSave } from "../components/form-dialog.tsx";
import { Field, TextArea, TextInput } from "../components/inputs.tsx";

export interface RequestTexts {
  title: string;
  reason: string;
}

interface AskProps {
  open: boolean;
  onClose(): void;
  onSubmit(request: RequestTexts): Promise<void>;
}

/** Asks for the title and the reason of a change to Live, which needs an approval. */
export function AskDialog({ onSubmit, ...dialog }: AskProps) {
  const [title, setTitle] = useState("");
  const [reason, setReason] = useState("");
  const save = useSave({}, () => onSubmit({ title: title.trim(), reason: reason.trim() }));
  return (
    <FormDialog
      {...dialog}
      title="Request this change"
      description="Changes to Live need an approval in this project. Another person sees the difference and decides."
      submitLabel="Request change"
      save={save}
      noValidate
    >
      <Field label="Title" optional hint="If empty, the request is named after its changes.">
        <TextInput value={title} onValueChange={setTitle} maxLength={200} />
      </Field>
      <Field label="Reason" optional hint="The purpose of the change. Approvers read it first.">
        <TextArea value={reason} onValueChange={setReason} maxLength={2_000} rows={3} />
      </Field>
    </FormDialog>
  );
}
