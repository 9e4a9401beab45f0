"use client";

import { Banknote } from "lucide-react";
import { Identity } from "../../fields/identity.tsx";
import { useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import type { Begin } from "../../form/use-definition-form.ts";
import { NoBaseCurrency } from "../../fields/no-base-currency.tsx";
import { PropertiesSection } from "../../fields/properties-section.tsx";
import { TYPE_ICONS, TypeChoice } from "../../fields/type-choice.tsx";

export const MetricForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="metrics">
    <Identity hasDescription={false} hasImages={false} namePlaceholder="Money spent" />
    <MetricKind />
    <PropertiesSection of="the metric's events" />
  </DefinitionForm>
);

const MetricKind = () => (
  <TypeChoice
    member="kind"
    title="Kind"
    label="Kind of the metric"
    description="What is added up. Can't be changed once the metric is created."
    options={[
      { value: "Number", label: "Number", hint: "Steps, minutes, kilometres, added up", icon: TYPE_ICONS.Number },
      {
        value: "Currency",
        label: "Money",
        hint: "Amounts in any currency, converted to the base currency and added up",
        icon: <Banknote aria-hidden />,
      },
    ]}
  >
    <MoneyNeeds />
  </TypeChoice>
);

function MoneyNeeds() {
  const [kind] = useMember<string>("kind");
  return kind === "Currency" && <NoBaseCurrency>Money is added up in it.</NoBaseCurrency>;
}
