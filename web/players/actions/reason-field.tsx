import { MAX_REASON_LENGTH } from "#server/model/kernel/reason.ts";
import { Field } from "../../components/field.tsx";
import { TextInput } from "../../components/inputs.tsx";

interface Props {
  value: string;
  onValueChange(value: string): void;
  hint?: string;
}

/** The reason of an action; required by all of them. */
export const ReasonField = ({ value, onValueChange, hint = "Shown in the audit log and in the player’s timeline." }: Props) => (
  <Field label="Reason" required hint={hint}>
    <TextInput value={value} onValueChange={onValueChange} maxLength={MAX_REASON_LENGTH} autoComplete="off" />
  </Field>
);
