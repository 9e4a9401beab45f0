"use client";

import { Calendar, Hash, List, ToggleLeft, Type } from "lucide-react";
import type { ReactNode } from "react";
import { CardsMember } from "./member-fields.tsx";
import { Section } from "../form/section.tsx";
import { TYPES } from "./properties-section.tsx";

export const TYPE_ICONS = {
  String: <Type aria-hidden />,
  Number: <Hash aria-hidden />,
  Boolean: <ToggleLeft aria-hidden />,
  DateTime: <Calendar aria-hidden />,
  Collection: <List aria-hidden />,
};
export const SCALAR_TYPES = TYPES.map((type) => ({ ...type, icon: TYPE_ICONS[type.value] }));
export const VALUE_TYPES = [
  ...SCALAR_TYPES,
  { value: "Collection", label: "List of texts", hint: "Such as several codes at once", icon: TYPE_ICONS.Collection },
];

interface TypeChoiceProps {
  member: string;
  title: string;
  label: string;
  description: string;
  options: { value: string; label: string; hint: string; icon: ReactNode }[];
  /** A description of the chosen type. */
  children?: ReactNode;
}

/** A section for a choice that is made once. */
export function TypeChoice({ member, title, label, description, options, children }: TypeChoiceProps) {
  return (
    <Section title={title} description={description}>
      <CardsMember member={member} label={label} isLabelHidden options={options} />
      {children}
    </Section>
  );
}
