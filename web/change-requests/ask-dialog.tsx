import { useState } from "react";
import { FormDialog } from "../components/form-dialog.tsx";
import { Field, TextArea, TextInput } from "../components/inputs.tsx";
import type { Opened } from "../components/overlay.tsx";

export interface RequestTexts {
  title: string;
  reason: string;
}

interface AskProps extends Opened {
  isPending: boolean;
  onSubmit(request: RequestTexts): void;
}

/** Asks for the title and the reason of a change of Live, which needs an approval. */
export function AskDialog({ onSubmit, ...dialog }: AskProps) {
  const [title, setTitle] = useState("");
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      {...dialog}
      title="Request this change"
      description="Changes of Live need an approval in this project. Another person sees the difference and decides."
      submitLabel="Request change"
      noValidate
      onSubmit={() => onSubmit({ title: title.trim(), reason: reason.trim() })}
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
