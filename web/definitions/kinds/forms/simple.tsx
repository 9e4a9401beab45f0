"use client";

import { Banknote, Calendar, Hash, List, ToggleLeft, Type } from "lucide-react";
import Link from "next/link";
import { type ComponentProps, type ReactNode, useMemo } from "react";
import { useWhere } from "#web/client/service.tsx";
import { Combobox } from "#web/components/combobox.tsx";
import { InstantInput } from "#web/components/instant-input.tsx";
import { Notice } from "#web/components/surface.tsx";
import { useBaseCurrency } from "../../catalogue-query.ts";
import { Identity } from "../../fields/identity.tsx";
import { CardsMember, NumberMember } from "../../fields/member-fields.tsx";
import { PropertiesSection, TYPES } from "../../fields/properties-section.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { DefinitionForm } from "../../form/definition-form.tsx";
import { FormField, Section } from "../../form/form-field.tsx";
import type { Begin } from "../../form/form-state.ts";
import { option } from "#web/components/choice.tsx";

export const EventForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="events">
    <Identity hasDescription={false} hasImages={false} namePlaceholder="Order placed" />
    <PropertiesSection of="the event" />
  </DefinitionForm>
);

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
    description="What the metric adds up. Can't be changed once the metric is created."
    options={[
      { value: "Number", label: "Number", hint: "Steps, minutes, kilometres, added up", icon: TYPE_ICONS.Number },
      option("Currency", "Money", Banknote, "Amounts in any currency, converted to the base currency and added up"),
    ]}
  >
    <MoneyNeeds />
  </TypeChoice>
);

function MoneyNeeds() {
  const [kind] = useMember<string>("kind");
  return kind === "Currency" && <NoBaseCurrency>Money is added up in it.</NoBaseCurrency>;
}

export const AttributeForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="attributes">
    <Identity hasDescription={false} hasImages={false} namePlaceholder="Membership tier" />
    <TypeChoice
      member="type"
      title="Type"
      label="Type of the attribute"
      description="The type of its values. Can't be changed once the attribute is created."
      options={SCALAR_TYPES}
    />
  </DefinitionForm>
);

export const ExchangeRateForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="exchangeRates">
    <NoBaseCurrency>Exchange rates are to the base currency.</NoBaseCurrency>
    <Rate />
  </DefinitionForm>
);

/** The rate of a currency in the base currency. */
function Rate() {
  const { isNew } = useAuthoring();
  const [code, setCode] = useMember<string>("currencyCode");
  const base = useBaseCurrency() ?? "the base currency";
  return (
    <Section title="Rate" description="Applies from the next metric event. Amounts already converted do not change.">
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField at={["currencyCode"]} label="Currency" required hint={isNew ? undefined : "Each currency has a rate of its own."}>
          <CurrencyPicker value={code} onValueChange={setCode} />
        </FormField>
        <NumberMember
          member="rate"
          label={`Worth in ${base}`}
          required
          hint={`How many ${base} one ${code || "unit"} is worth. Up to 8 decimals, exact.`}
          placeholder="0.92"
        />
      </div>
    </Section>
  );
}

export const CatalogItemForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="catalogItems">
    <Identity namePlaceholder="Free coffee" />
    <TypeChoice
      member="valueType"
      title="Value"
      label="Value type"
      description="The value of each item: how many, which, until when. Can't be changed once the item is created."
      options={VALUE_TYPES}
    />
  </DefinitionForm>
);

export const ValuationForm = (begin: Begin) => (
  <DefinitionForm {...begin} kind="pointsValuations">
    <Worth />
  </DefinitionForm>
);

/** The value of a point from an instant on. */
function Worth() {
  const { catalogue } = useAuthoring();
  const [from, setFrom] = useMember<string | null>("effectiveFrom");
  const [currency, setCurrency] = useMember<string>("currency");
  return (
    <Section title="Worth" description="Used in analytics to price the points that players hold. Players do not see it.">
      <FormField
        at={["effectiveFrom"]}
        label="From"
        required
        hint={`In the project's time zone, ${catalogue.timeZone}.`}
        className="sm:max-w-64"
      >
        <InstantInput value={from} onValueChange={setFrom} />
      </FormField>
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberMember member="points" label="Points" required placeholder="100" />
        <NumberMember member="amount" label="Are worth" required placeholder="1" />
        <FormField at={["currency"]} label="Currency" required>
          <CurrencyPicker value={currency} onValueChange={setCurrency} />
        </FormField>
      </div>
    </Section>
  );
}

const TYPE_ICONS = {
  String: <Type />,
  Number: <Hash />,
  Boolean: <ToggleLeft />,
  DateTime: <Calendar />,
  Collection: <List />,
};
const SCALAR_TYPES = TYPES.map((type) => ({ ...type, icon: TYPE_ICONS[type.value] }));
const VALUE_TYPES = [
  ...SCALAR_TYPES,
  { value: "Collection", label: "List of texts", hint: "Such as several codes together", icon: TYPE_ICONS.Collection },
];

type TypeChoiceProps = ComponentProps<typeof CardsMember> & { title: string; description: string; children?: ReactNode };

/** A section for a choice that is made once. */
const TypeChoice = ({ title, description, children, ...choice }: TypeChoiceProps) => (
  <Section title={title} description={description}>
    <CardsMember {...choice} isLabelHidden />
    {children}
  </Section>
);

/** Asks for the base currency. Beside the form, so that no input is lost on the way to the settings. */
function NoBaseCurrency({ children }: { children: ReactNode }) {
  const { href } = useWhere();
  if (useBaseCurrency() !== null) return null;
  return (
    <Notice tone="warn" title="This environment has no base currency yet">
      {children} Choose it in the{" "}
      <Link href={href("/settings")} target="_blank" className="font-medium text-accent underline underline-offset-2">
        settings
      </Link>{" "}
      first (they open in a new tab).
    </Notice>
  );
}

/** ISO 4217, by code, with its English name. */
const useCurrencies = () =>
  useMemo(() => {
    const names = new Intl.DisplayNames("en", { type: "currency" });
    return Intl.supportedValuesOf("currency").map((code) => ({ value: code, label: code, hint: names.of(code) }));
  }, []);

const CurrencyPicker = ({ value, onValueChange }: { value: string; onValueChange(code: string): void }) => (
  <Combobox
    value={value === "" ? null : value}
    onValueChange={(code) => onValueChange(code ?? "")}
    options={useCurrencies()}
    placeholder="EUR, USD, …"
  />
);
