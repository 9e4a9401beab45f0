"use client";

import type { ComponentProps } from "react";
import type { Numeric } from "#server/model/kernel/decimal.ts";
import { RadioCards, Segmented } from "../../components/choice.tsx";
import { useMember } from "../form/authoring.tsx";
import { Place } from "../form/place.tsx";
import { NumberInput } from "./inputs.tsx";

type FieldProps = Omit<ComponentProps<typeof Place>, "at" | "children"> & {
  /** The member of the definition that the field is. */
  member: string;
  label: string;
};

/** A number that is a member of the definition. */
export function NumberMember({ member, placeholder, ...place }: FieldProps & { placeholder?: string }) {
  const [value, setValue] = useMember<Numeric | null>(member);
  return (
    <Place {...place} at={[member]}>
      <NumberInput value={value} onValueChange={setValue} placeholder={placeholder} />
    </Place>
  );
}

/** One of a few, side by side. */
export function SegmentedMember({ member, options, ...place }: FieldProps & Pick<ComponentProps<typeof Segmented<string>>, "options">) {
  const [value, setValue] = useMember<string>(member);
  return (
    <Place {...place} at={[member]}>
      <Segmented label={place.label} value={value} onValueChange={setValue} options={options} />
    </Place>
  );
}

/** One of a few that need a word of explanation. */
export function CardsMember({ member, options, ...place }: FieldProps & Pick<ComponentProps<typeof RadioCards<string>>, "options">) {
  const [value, setValue] = useMember<string>(member);
  return (
    <Place {...place} at={[member]}>
      <RadioCards label={place.label} value={value} onValueChange={setValue} options={options} />
    </Place>
  );
}
