"use client";

import { Banknote, Calendar, Hash, List, ToggleLeft, Type } from "lucide-react";
import type { ReactNode } from "react";
import { RadioCards } from "../../_components/choice.tsx";
import { useMember } from "../form/authoring.tsx";
import { Place } from "../form/place.tsx";
import { Section } from "../form/section.tsx";
import { NoBaseCurrency } from "./no-base-currency.tsx";
import { TYPES } from "./properties-section.tsx";

const ICONS: Record<string, ReactNode> = {
  String: <Type aria-hidden />,
  Number: <Hash aria-hidden />,
  Boolean: <ToggleLeft aria-hidden />,
  DateTime: <Calendar aria-hidden />,
  Collection: <List aria-hidden />,
};
const SCALARS = TYPES.map((type) => ({ ...type, icon: ICONS[type.value] }));
const VALUES = [
  ...SCALARS,
  { value: "Collection", label: "List of texts", hint: "Such as several codes at once", icon: ICONS["Collection"] },
];

interface OneChoiceProps {
  member: string;
  title: string;
  label: string;
  description: string;
  options: { value: string; label: string; hint: string; icon: ReactNode }[];
  /** Said of what is chosen. */
  children?: ReactNode;
}

/** A section that is one choice, made once. */
function OneChoice({ member, title, label, description, options, children }: OneChoiceProps) {
  const [value, setValue] = useMember<string>(member);
  return (
    <Section title={title} description={description}>
      <Place at={[member]} label={label} isLabelHidden>
        <RadioCards label={label} value={value} onValueChange={setValue} options={options} />
      </Place>
      {children}
    </Section>
  );
}

export const AttributeSection = () => (
  <OneChoice
    member="type"
    title="Type"
    label="Type of the attribute"
    description="What its values are. It stays once the attribute is created, as rules are built on it."
    options={SCALARS}
  />
);

export const MetricSection = () => (
  <OneChoice
    member="kind"
    title="Kind"
    label="Kind of the metric"
    description="What is added up. It stays once the metric is created."
    options={[
      { value: "Number", label: "Number", hint: "Steps, minutes, kilometres: added up as they come", icon: ICONS["Number"] },
      {
        value: "Currency",
        label: "Money",
        hint: "Amounts in any currency, added up in the base currency at the rate that holds",
        icon: <Banknote aria-hidden />,
      },
    ]}
  >
    <MoneyNeeds />
  </OneChoice>
);

function MoneyNeeds() {
  const [kind] = useMember<string>("kind");
  return kind === "Currency" && <NoBaseCurrency>Money is added up in it.</NoBaseCurrency>;
}

export const CatalogItemSection = () => (
  <OneChoice
    member="valueType"
    title="Value"
    label="Type of its value"
    description="What is handed out with each one: how many, which, until when. It stays once the item is created."
    options={VALUES}
  />
);
