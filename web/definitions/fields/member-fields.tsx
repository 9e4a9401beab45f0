import type { ComponentProps } from "react";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import { RadioCards, Segmented } from "../../components/choice.tsx";
import { useMember } from "../form/authoring.tsx";
import { FormField } from "../form/form-field.tsx";
import { NumberInput } from "./inputs.tsx";

type FieldProps = Omit<ComponentProps<typeof FormField>, "at" | "children"> & {
  /** The definition's member that the field edits. */
  member: string;
  label: string;
};

export function NumberMember({ member, placeholder, ...field }: FieldProps & { placeholder?: string }) {
  const [value, setValue] = useMember<Numeric | null>(member);
  return (
    <FormField {...field} at={[member]}>
      <NumberInput value={value} onValueChange={setValue} placeholder={placeholder} />
    </FormField>
  );
}

type ChoiceProps = FieldProps & Pick<ComponentProps<typeof Segmented<string>>, "options">;

const choiceMember = (Control: typeof Segmented<string>) =>
  function ChoiceMember({ member, options, ...field }: ChoiceProps) {
    const [value, setValue] = useMember<string>(member);
    return (
      <FormField {...field} at={[member]}>
        <Control label={field.label} value={value} onValueChange={setValue} options={options} />
      </FormField>
    );
  };

export const SegmentedMember = choiceMember(Segmented);

/** A choice with explanations. */
export const CardsMember = choiceMember(RadioCards);
