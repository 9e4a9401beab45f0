"use client";

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

/** A number field of the definition. */
export function NumberMember({ member, placeholder, ...place }: FieldProps & { placeholder?: string }) {
  const [value, setValue] = useMember<Numeric | null>(member);
  return (
    <FormField {...place} at={[member]}>
      <NumberInput value={value} onValueChange={setValue} placeholder={placeholder} />
    </FormField>
  );
}

/** A segmented choice of the definition. */
export function SegmentedMember({ member, options, ...place }: FieldProps & Pick<ComponentProps<typeof Segmented<string>>, "options">) {
  const [value, setValue] = useMember<string>(member);
  return (
    <FormField {...place} at={[member]}>
      <Segmented label={place.label} value={value} onValueChange={setValue} options={options} />
    </FormField>
  );
}

/** A choice with explanations. */
export function CardsMember({ member, options, ...place }: FieldProps & Pick<ComponentProps<typeof RadioCards<string>>, "options">) {
  const [value, setValue] = useMember<string>(member);
  return (
    <FormField {...place} at={[member]}>
      <RadioCards label={place.label} value={value} onValueChange={setValue} options={options} />
    </FormField>
  );
}
